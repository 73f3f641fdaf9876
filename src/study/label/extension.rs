//! Making a sample longer: by its own allocation, of some strata alone, or where labels say that pairs help most.

use crate::StudyError;
use crate::analyse::estimate::labelled_sample;
use crate::label::draw::SampleDraw;
use crate::label::drawing::current_sample;
use crate::snapshot::Snapshot;
use dejaview_evaluation::estimates::{Frame, Unsure};
use dejaview_evaluation::sample::{Need, Sample, Stratum, allocate_more, neyman};

/// By how much a sample is to be made longer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleExtension {
    /// Pairs to add; none where every stratum says its own number.
    pub more: Option<u64>,
    /// Pairs to add that no configuration found.
    pub audit: u64,
    /// The strata that get them, all by default: names, some with a number behind (`jaccard 0.7-0.8=20`).
    pub strata: Vec<String>,
    /// Whether the labels so far decide how the strata share them.
    pub neyman: bool,
}

/// Why a sample cannot be made longer as asked for.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum NoExtension {
    #[error(
        "{0} was kept when the pairs changed, and stands for old ones alone; --redraw draws it again, and then it can be \
         made longer"
    )]
    OfOldPairs(String),
    #[error("there is no stratum “{name}”; there are {known}")]
    NoStratum { name: String, known: String },
    #[error("stratum “{0}” is named twice")]
    Twice(String),
    #[error("say with --extend how many pairs are to be added")]
    NoNumber,
    #[error("give a number behind every stratum, or behind none")]
    SomeNumbers,
    #[error("the numbers behind the strata add up to {0}, not to what --extend says")]
    OtherSum(u64),
}

/// What draws a sample again with more pairs behind; those it has stay, in their order.
pub fn extended_draw(study: &Snapshot, name: &str, extension: &SampleExtension) -> Result<SampleDraw, StudyError> {
    let sample = current_sample(study, name)?;
    let wrong = |why: NoExtension| StudyError::Sample { why: why.to_string() };
    if sample.kept.is_some() {
        return Err(wrong(NoExtension::OfOldPairs(name.to_owned())));
    }
    let mut draw = SampleDraw::from_sample(&sample)?;
    draw.audit += extension.audit;
    let strata: Vec<&Stratum> = sample.pool().collect();
    let chosen = named_strata(&strata, &extension.strata).map_err(wrong)?;
    if chosen.is_empty() && !extension.neyman {
        draw.size += extension.more.unwrap_or(0);
        return Ok(draw);
    }
    let added = match explicit_numbers(&chosen, extension.more).map_err(wrong)? {
        Some(numbers) => numbers,
        None => {
            let places: Vec<usize> = match chosen.is_empty() {
                true => (0..strata.len()).collect(),
                false => chosen.iter().map(|(h, _)| *h).collect(),
            };
            let more = extension.more.unwrap_or(0);
            match extension.neyman {
                true => by_labels(&labelled_sample(study, name, false)?.1, &strata, &places, more),
                false => by_allocation(&sample, &strata, &places, more),
            }
        }
    };
    for (h, more) in added {
        let stratum = strata[h];
        draw.least[h].1 = (stratum.drawn + more).min(stratum.population);
    }
    draw.size = draw.least.iter().map(|(_, drawn)| drawn).sum();
    Ok(draw)
}

/// Places of strata, with the number behind the name where there is one.
type NamedStrata = Vec<(usize, Option<u64>)>;

fn named_strata(strata: &[&Stratum], names: &[String]) -> Result<NamedStrata, NoExtension> {
    let place = |name: &str| strata.iter().position(|stratum| stratum.name == name);
    let one = |text: &String| {
        let split = || {
            let (name, number) = text.rsplit_once('=')?;
            Some((place(name.trim())?, Some(number.trim().parse().ok()?)))
        };
        let known = || strata.iter().map(|stratum| format!("“{}”", stratum.name)).collect::<Vec<_>>().join(", ");
        place(text)
            .map(|h| (h, None))
            .or_else(split)
            .ok_or_else(|| NoExtension::NoStratum { name: text.clone(), known: known() })
    };
    let chosen: NamedStrata = names.iter().map(one).collect::<Result<_, _>>()?;
    match (0..chosen.len()).find(|&i| chosen[..i].iter().any(|(h, _)| *h == chosen[i].0)) {
        Some(twice) => Err(NoExtension::Twice(strata[chosen[twice].0].name.clone())),
        None => Ok(chosen),
    }
}

/// The numbers behind the names, where there are any: then each has one, and they add up to what is asked for.
fn explicit_numbers(
    chosen: &[(usize, Option<u64>)],
    more: Option<u64>,
) -> Result<Option<Vec<(usize, u64)>>, NoExtension> {
    let numbers: Vec<(usize, u64)> = chosen.iter().filter_map(|(h, number)| Some((*h, (*number)?))).collect();
    let sum: u64 = numbers.iter().map(|(_, n)| n).sum();
    match numbers.len() {
        0 if more.is_none() => Err(NoExtension::NoNumber),
        0 => Ok(None),
        n if n < chosen.len() => Err(NoExtension::SomeNumbers),
        _ if more.is_some_and(|more| more != sum) => Err(NoExtension::OtherSum(sum)),
        _ => Ok(Some(numbers)),
    }
}

fn by_allocation(sample: &Sample, strata: &[&Stratum], places: &[usize], more: u64) -> Vec<(usize, u64)> {
    let sizes: Vec<(&str, u64)> = places.iter().map(|&h| (strata[h].name.as_str(), strata[h].population)).collect();
    let drawn: Vec<u64> = places.iter().map(|&h| strata[h].drawn).collect();
    let size = drawn.iter().sum::<u64>() + more;
    let then = allocate_more(&sizes, &drawn, size, sample.allocation, sample.seed);
    places.iter().zip(then.iter().zip(&drawn)).map(|(&h, (then, drawn))| (h, then - drawn)).collect()
}

/// By N·s of each stratum, s from its labels so far.
fn by_labels(frame: &Frame, strata: &[&Stratum], places: &[usize], more: u64) -> Vec<(usize, u64)> {
    let need = |&h: &usize| {
        let stratum = strata[h];
        let mine = || frame.known(Unsure::Out).filter(|(drawn, _)| frame.strata[drawn.stratum].name == stratum.name);
        let (labelled, yes) = (mine().count() as u64, mine().filter(|(_, truth)| *truth).count() as u64);
        Need {
            population: stratum.population,
            labels: stratum.drawn as f64,
            rate: 1.0,
            share: Need::smoothed(yes, labelled),
            room: stratum.population - stratum.drawn,
        }
    };
    let order = neyman(&places.iter().map(need).collect::<Vec<_>>(), more);
    let count = |i: usize| order.iter().filter(|one| **one == i).count() as u64;
    places.iter().enumerate().map(|(i, &h)| (h, count(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_with_and_without_numbers() {
        let stratum = |name: &str| Stratum {
            name: name.into(),
            population: 90,
            drawn: 10,
            found: vec![90],
            ..Stratum::default()
        };
        let strata = [stratum("segment a=1"), stratum("jaccard 0.7-0.8")];
        let strata: Vec<&Stratum> = strata.iter().collect();
        let read =
            |names: &[&str]| named_strata(&strata, &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&["jaccard 0.7-0.8=20"]), Ok(vec![(1, Some(20))]));
        assert_eq!(read(&["segment a=1", "jaccard 0.7-0.8"]), Ok(vec![(0, None), (1, None)]), "a name may have a sign");
        assert!(read(&["jaccard"]).unwrap_err().to_string().contains("there are “segment a=1”, “jaccard 0.7-0.8”"));
        assert!(read(&["jaccard 0.7-0.8", "jaccard 0.7-0.8=3"]).unwrap_err().to_string().contains("twice"));
        assert_eq!(explicit_numbers(&[(1, Some(20)), (0, Some(3))], None), Ok(Some(vec![(1, 20), (0, 3)])));
        assert!(
            explicit_numbers(&[(1, Some(20)), (0, Some(3))], Some(22))
                .unwrap_err()
                .to_string()
                .contains("add up to 23")
        );
        assert!(explicit_numbers(&[(1, Some(20)), (0, None)], Some(20)).is_err());
        assert!(explicit_numbers(&[(1, None)], None).is_err());
        assert_eq!(explicit_numbers(&[(1, None)], Some(5)), Ok(None));
    }
}

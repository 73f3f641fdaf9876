//! Reads the configurations: methods of the catalogue with their parameters, each tried before it is believed.

use super::corpora::pattern;
use super::keys::file_name;
use super::{ConfigurationRecipe, Pattern, standard_set};
use crate::StudyError;
use crate::query::filter::words::joins_terms;
use crate::recipe::keys::{Item, Section};
use dejaview_base::names;
use dejaview_methods::parameters::Value;
use dejaview_methods::{MethodError, Statistics, Values, catalogue};

pub(super) fn configurations(whole: &Section<'_>) -> Result<Vec<ConfigurationRecipe>, StudyError> {
    let Some(items) = whole.item("configuration") else { return Ok(standard_set()) };
    let mut all: Vec<ConfigurationRecipe> = Vec::new();
    for item in items.list() {
        let section = item.section()?;
        let configuration = configuration(&section)?;
        if all.iter().any(|other| other.name == configuration.name) {
            let problem = format!("is \"{}\" a second time; give one of them another name", configuration.name);
            return Err(section.wrong("name", problem));
        }
        all.push(configuration);
    }
    Ok(all)
}

fn configuration(section: &Section<'_>) -> Result<ConfigurationRecipe, StudyError> {
    let known = catalogue::names().join(", ");
    let Some(method) = section.item("method") else {
        return Err(section.wrong("method", format!("is missing; expected one of {known}")));
    };
    let word = method.string()?;
    let Some(algorithm) = catalogue::find(word) else {
        return Err(method.wrong(format!("is \"{word}\", expected one of {known}")));
    };
    let named = section.item("name");
    let pairs = if algorithm.imports { Some(imported(section)?) } else { None };
    let mut values = Values::new(algorithm);
    for (key, item) in section.rest() {
        let value = value(&item)?;
        values.set(key, value).map_err(|error| item.wrong(format!("cannot be so: {error}")))?;
    }
    if algorithm.decides {
        let (item, path) = model(section)?;
        values.set("model", Value::Word(path)).map_err(|error| item.wrong(format!("cannot be so: {error}")))?;
    }
    if let Some(pattern) = &pairs {
        values
            .set("pairs", Value::Word(pattern.glob.clone()))
            .map_err(|error| section.wrong("pairs", error.to_string()))?;
    }
    if let Err(error) = values.fit(&Statistics::default()) {
        let named = |name: &str| section.rest().into_iter().find(|(key, _)| *key == name).map(|(_, item)| item);
        return Err(match &error {
            MethodError::Value { name, .. } if named(name).is_some() => named(name)
                .map_or_else(|| section.wrong(name, error.to_string()), |i| i.wrong(format!("cannot be so: {error}"))),
            _ => section.wrong("method", format!("cannot be set up: {error}")),
        });
    }
    let name = match named {
        Some(item) => {
            let name = file_name(&item, item.string()?)?;
            if names::is_like_an_option(&name) {
                return Err(item.wrong(format!(
                    "is \"{name}\", which commands would take for an option; begin it with a letter or a digit"
                )));
            }
            if joins_terms(&name) {
                let why = format!("is \"{name}\", which joins terms of filters; give it another name");
                return Err(item.wrong(format!("{why}, \"my-{name}\" for one")));
            }
            name
        }
        None => values.title(),
    };
    Ok(ConfigurationRecipe { name, values, pairs })
}

/// The files that a configuration imports its pairs from.
fn imported(section: &Section<'_>) -> Result<Pattern, StudyError> {
    match section.item("pairs") {
        Some(item) => pattern(&item),
        None => Err(section.wrong("pairs", "is missing; expected the files to import, \"pairs/*.tsv\" for one")),
    }
}

/// The file of the model that a configuration decides by.
fn model<'a>(section: &Section<'a>) -> Result<(Item<'a>, String), StudyError> {
    let expected = "is missing; expected the file that `dejaview learn STUDY -o FILE` wrote, \"model.json\" for one";
    let item = section.item("model").ok_or_else(|| section.wrong("model", expected))?;
    let path = item.string()?.to_owned();
    Ok((item, path))
}

fn value(item: &Item<'_>) -> Result<Value, StudyError> {
    if item.is_string() {
        return Ok(Value::Word(item.string()?.to_owned()));
    }
    if item.is_integer() {
        return Ok(Value::Whole(item.whole()?));
    }
    if item.is_float() {
        return Ok(Value::Fraction(item.number()?));
    }
    let list = item.list();
    if list.iter().any(Item::is_float) {
        return Ok(Value::Fractions(list.iter().map(Item::number).collect::<Result<_, _>>()?));
    }
    Ok(Value::Wholes(list.iter().map(Item::whole).collect::<Result<_, _>>()?))
}

//! Which sample Label opens.

use super::contract::{News, Request};
use super::shared::Shared;

/// Another sample for Label, by its name.
pub fn choose(name: &str, shared: &mut Shared) -> Vec<Request> {
    let names = shared.sample_names();
    if !names.iter().any(|known| known == name) {
        let known = names.join(", ");
        shared.message = Some(match name {
            "" => format!("Label opens sample {}; :sample NAME chooses another of {known}", shared.sample),
            _ => format!("there is no sample “{name}”; there are {known}, and `dejaview sample` draws more"),
        });
        return Vec::new();
    }
    shared.message = Some(format!("Label opens sample {name}"));
    if name == shared.sample {
        return Vec::new();
    }
    name.clone_into(&mut shared.sample);
    vec![Request::Tell(News::SampleChosen)]
}

/// The next sample.
pub fn choose_next(shared: &mut Shared) -> Vec<Request> {
    let names = shared.sample_names();
    if names.len() == 1 {
        shared.message = Some(format!("there is one sample, {}; `dejaview sample` draws more", names[0]));
        return Vec::new();
    }
    let at = names.iter().position(|name| *name == shared.sample).unwrap_or_default();
    choose(&names[(at + 1) % names.len()], shared)
}

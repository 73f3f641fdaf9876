//! Which sample Label opens.

use super::action::Action;
use super::contract::{News, Request};
use super::shared::Shared;

/// Another sample for Label, by its name.
pub fn choose(name: &str, shared: &mut Shared) -> Vec<Request> {
    let names = shared.sample_names();
    if !names.iter().any(|known| known == name) {
        let known = names.join(", ");
        shared.message = Some(match (name, &shared.sample) {
            (_, None) => format!("No sample yet. Press {} to draw one", shared.way_to(Action::NewSample)),
            ("", Some(open)) => format!("Label opens sample {open}. :sample NAME chooses another of {known}"),
            (_, Some(_)) => format!("No sample “{name}”. Samples: {known}"),
        });
        return Vec::new();
    }
    shared.message = Some(format!("Label opens sample {name}"));
    shared.sample_is_chosen = true;
    if shared.sample.as_deref() == Some(name) {
        return Vec::new();
    }
    shared.sample = Some(name.to_owned());
    vec![Request::Tell(News::SampleChosen)]
}

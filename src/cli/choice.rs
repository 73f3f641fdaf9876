//! Options whose values are chosen by name: one parser for every type that names its values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use dejaview_base::choice::Choice;

/// Reads one of the names of a type; help texts list them with what they mean.
pub fn choice<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let names = T::CHOICES.iter().map(|(value, meaning)| {
        let name: &'static str = (*value).into();
        PossibleValue::new(name).help(*meaning)
    });
    PossibleValuesParser::new(names).try_map(|name| T::by_name(&name).ok_or("not one of the choices"))
}

//! The parser of options whose values are chosen by name.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use dejaview_base::choice::Choice;

/// A parser for any type that lists its values; help texts print their names with what they mean.
pub fn choice<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let names = T::CHOICES.iter().map(|(value, meaning)| {
        let name: &'static str = (*value).into();
        PossibleValue::new(name).help(*meaning)
    });
    PossibleValuesParser::new(names).try_map(|name| T::by_name(&name).ok_or("not one of the choices"))
}

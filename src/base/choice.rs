//! Values that people choose by name, on the command line, in files and in dialogs.

/// Values and what a help text says of each, in its order.
pub type Choices<T> = &'static [(T, &'static str)];

/// A type of few values, each with a name.
pub trait Choice: Copy + Into<&'static str> + 'static {
    /// All of them.
    const CHOICES: Choices<Self>;

    /// The value of a name.
    fn by_name(name: &str) -> Option<Self> {
        let is = |value: Self| {
            let known: &str = value.into();
            known == name
        };
        Self::CHOICES.iter().map(|(value, _)| *value).find(|value| is(*value))
    }
}

//! Numbers that stand for something in a list. Each kind is a type of its own, so that none is taken for another.

/// A type of numbers.
macro_rules! number {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(u32);

        #[allow(dead_code, reason = "not every kind of number needs all of these")]
        impl $name {
            /// The number of what stands at a place of its list.
            #[inline]
            pub fn at(place: usize) -> Self {
                Self(place as u32)
            }

            /// Its place in the list.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The numbers of a list of so many.
            pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
                (0..count as u32).map(Self)
            }

            /// As files have it.
            pub fn to_le_bytes(self) -> [u8; 4] {
                self.0.to_le_bytes()
            }
        }

        impl From<u32> for $name {
            fn from(number: u32) -> Self {
                Self(number)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// Number of a document among those of its side, by their ids.
    DocumentNumber
}

number! {
    /// Number of a group of documents with the same text among those of its side.
    GroupNumber
}

number! {
    /// Number of a configuration in the order of the study.
    ConfigurationNumber
}

impl GroupNumber {
    /// Stands for no group.
    pub const NONE: Self = Self(u32::MAX);
}

impl ConfigurationNumber {
    /// Stands for no configuration.
    pub const NONE: Self = Self(u32::MAX);
}

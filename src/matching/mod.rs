//! Row 4. Which pairs agree, and how much?

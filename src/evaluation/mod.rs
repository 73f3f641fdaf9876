//! Row 5. How good is a configuration?

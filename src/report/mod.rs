//! Row 7. How are results written down?

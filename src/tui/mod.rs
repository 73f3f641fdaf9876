//! Row 8. How do people look around?

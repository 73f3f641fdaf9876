//! Row 6. What does this folder ask for, and how is it run?

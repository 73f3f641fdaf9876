//! Row 8. How do people ask from the command line?

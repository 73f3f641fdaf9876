//! Row 4. Where is a text kept, and how is it found again?

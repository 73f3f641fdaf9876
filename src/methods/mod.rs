//! Row 3. What is a document reduced to, and why do two of them agree?

//! Row 3. What did people decide?

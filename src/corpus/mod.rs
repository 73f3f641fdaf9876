//! Row 3. Which documents and judgments are there?

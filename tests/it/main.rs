//! One integration binary; each module says what belongs there.

mod corpus_data;

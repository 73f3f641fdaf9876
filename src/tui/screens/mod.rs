//! One folder or file a screen: its state, its keys, what they do, its jobs, how it is drawn.

pub mod compare;
pub mod corpus;
pub mod figures;
pub mod home;
pub mod judgments;
pub mod label;
pub mod log;
pub mod methods;
pub mod pairs;
pub mod review;

use super::binding::ScreenKeys;
use super::contract::{Request, Screens};

/// All of them, in the order of their digits; an eleventh has a name and no digit.
pub fn all() -> Screens {
    Screens::new(vec![
        Box::new(home::Home::default()),
        Box::new(judgments::Judgments::default()),
        Box::new(pairs::Pairs::default()),
        Box::new(compare::Compare::default()),
        Box::new(label::Label::default()),
        Box::new(review::Review::default()),
        Box::new(figures::Figures::default()),
        Box::new(methods::Methods::default()),
        Box::new(corpus::Corpus::default()),
        Box::new(log::Log::default()),
    ])
}

/// What keys do on each of them, unless a person says otherwise.
pub fn keys() -> Vec<ScreenKeys> {
    all().keys()
}

/// What is asked for when the explorer begins: the study.
pub fn begin() -> Vec<Request> {
    vec![Request::job(pairs::opening::ReadFirstPairs)]
}

//! One fuzzer for all laws: `DEJAVIEW_LAW` names the one that it tries to break.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what cannot be read is a fault that the fuzzer must see")]

#[path = "../laws/mod.rs"]
mod laws;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

static LAW: OnceLock<&laws::Law> = OnceLock::new();

fuzz_target!(
    init: {
        let name = std::env::var("DEJAVIEW_LAW").unwrap_or_default();
        let names: Vec<&str> = laws::LAWS.iter().map(|law| law.name).collect();
        let law = laws::LAWS.iter().find(|law| law.name == name);
        LAW.get_or_init(|| law.unwrap_or_else(|| panic!("DEJAVIEW_LAW must be one of {}", names.join(", "))));
    },
    |bytes: &[u8]| {
        if let Some(law) = LAW.get() {
            (law.check)(bytes);
        }
    }
);

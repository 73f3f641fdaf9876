//! Inputs that a fuzzer found, held against the laws that it tried to break with them (`tests/fuzz`).

#[path = "../fuzz/laws/mod.rs"]
mod laws;

use std::fs;
use std::io::Read;
use std::path::Path;

use dejaview::base::panics::catch_panic;

/// The kept inputs of a law: gzip, and each behind its length.
fn inputs(law: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz").join(format!("{law}.gz"));
    let packed = fs::File::open(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    let (mut inputs, mut rest) = (Vec::new(), &bytes[..]);
    while let Some((length, behind)) = rest.split_first_chunk() {
        let (input, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
        inputs.push(input.to_vec());
        rest = behind;
    }
    inputs
}

#[test]
fn every_law_holds_for_what_the_fuzzer_kept() {
    let mut broken = Vec::new();
    for law in laws::LAWS {
        let inputs = inputs(law.name);
        assert!(!inputs.is_empty(), "no inputs of {}", law.name);
        for (number, input) in inputs.iter().enumerate() {
            if let Err(panic) = catch_panic(|| (law.check)(input)) {
                broken.push(format!("{} by input {number}, {}: {panic}", law.name, input.escape_ascii()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_file_of_inputs_has_its_law() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let law = name.strip_suffix(".gz").unwrap_or_else(|| panic!("{name} is no file of inputs"));
        assert!(laws::LAWS.iter().any(|known| known.name == law), "{law} is no law");
    }
}

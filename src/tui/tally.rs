//! What the guard and the reader kept from doing harm, counted over all sessions for the doctor.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use dejaview_base::system;
use dejaview_study::settings::COUNTS;

/// Adds counts to those of earlier sessions. That they are lost when the file cannot be written harms nobody.
pub(super) fn add(folder: &Path, counts: &[(&str, u64)]) {
    let path = folder.join(COUNTS);
    let old: Map<String, Value> =
        system::read_file(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let sum = |name: &str, count: u64| old.get(name).and_then(Value::as_u64).unwrap_or(0).saturating_add(count);
    let new: Map<String, Value> =
        counts.iter().map(|(name, count)| ((*name).to_owned(), json!(sum(name, *count)))).collect();
    let put = || -> std::io::Result<()> {
        fs::create_dir_all(folder)?;
        let part = path.with_extension(format!("part-{}", std::process::id()));
        fs::write(&part, Value::from(new).to_string())?;
        fs::rename(&part, &path)
    };
    let _ = put();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a");
        add(&inner, &[("joined", 2), ("refused", 0)]);
        fs::write(inner.join("other"), "").unwrap();
        add(&inner, &[("joined", 3), ("refused", 1)]);
        assert_eq!(fs::read_to_string(inner.join(COUNTS)).unwrap(), "{\"joined\":5,\"refused\":1}");
        fs::write(inner.join(COUNTS), "broken").unwrap();
        add(&inner, &[("joined", 1)]);
        assert_eq!(fs::read_to_string(inner.join(COUNTS)).unwrap(), "{\"joined\":1}");
    }
}

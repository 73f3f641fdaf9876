//! Numbers as people read them.

/// A number with thousands apart.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share from 0 to 1 as a percentage with so many decimals. Never 100 % unless it is all, and never 0 % unless it is nothing:
/// what would be rounded so stands as `>99 %` or `<1 %`.
pub fn percent(share: f64, decimals: usize) -> String {
    let step = 0.1_f64.powi(decimals as i32);
    let rounded = format!("{:.decimals$}", 100.0 * share);
    let (nothing, all) = (format!("{:.decimals$}", 0.0), format!("{:.decimals$}", 100.0));
    match share {
        share if share > 0.0 && rounded == nothing => format!("<{step:.decimals$} %"),
        share if share < 1.0 && rounded == all => format!(">{:.decimals$} %", 100.0 - step),
        _ => format!("{rounded} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_is_100_percent_and_only_nothing_is_0() {
        let whole = |share: f64| percent(share, 0);
        assert_eq!([0.0, 0.004, 0.006, 0.5, 0.9987, 1.0].map(whole), ["0 %", "<1 %", "1 %", "50 %", ">99 %", "100 %"]);
        let tenths = |share: f64| percent(share, 1);
        assert_eq!([0.0004, 0.784, 0.9987, 0.9996].map(tenths), ["<0.1 %", "78.4 %", "99.9 %", ">99.9 %"]);
    }
}

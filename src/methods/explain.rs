//! The whole explanation of a verdict: the method's own reasons, and what carries the match or would make one.

use super::catalogue::Method;
use super::explanation::Explanation;
use super::prepared::Prepared;

/// Why two documents match or not; the headline's value equals what [`Method::compare`] said.
pub fn explain(method: &dyn Method, source: &Prepared<'_>, target: &Prepared<'_>) -> Explanation {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let sketched = method.sketch(source, &mut a) & method.sketch(target, &mut b);
    let reasons = method.reasons(source, target);
    if !sketched {
        return Explanation::new(format!("no sketch: {}", reasons.claim), f64::NAN).with(reasons.parts);
    }
    let matched = method.compare(&a, &b).is_some();
    let verdict = if matched { "match" } else { "no match" };
    Explanation::new(format!("{verdict}: {}", reasons.claim), reasons.value).with(reasons.parts)
}

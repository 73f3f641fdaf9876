//! The explanation of a verdict: the reasons of the method, and the evidence for a match or the changes that would make one.

use super::explanation::Explanation;
use super::method::Method;
use super::prepared::Prepared;
use super::why;

/// Why two documents match or not; the value of the headline equals the result of [`Method::compare`].
pub fn explain(method: &dyn Method, source: &Prepared<'_>, target: &Prepared<'_>) -> Explanation {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let sketched = method.sketch(source, &mut a) & method.sketch(target, &mut b);
    let reasons = method.reasons(source, target);
    if !sketched {
        return Explanation::new(format!("no sketch: {}", reasons.claim), None).with(reasons.parts);
    }
    let (verdict, why) = match method.compare(&a, &b) {
        Some(_) => ("match", why::evidence_claim(method, source, target, reasons.pieces)),
        None => ("no match", why::change_claim(method, source, target, &reasons.decisive)),
    };
    let mut parts = vec![why];
    parts.extend(reasons.parts);
    Explanation::new(format!("{verdict}: {}", reasons.claim), reasons.value).with(parts)
}

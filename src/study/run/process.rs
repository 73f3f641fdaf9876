//! Memory and processor time of this process; `None` where the system does not tell.

use std::fs;

/// Ticks of the clock in which Linux counts processor time, a second.
const TICKS: f64 = 100.0;

/// The most memory that the process has held so far, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// Processor time that all threads of the process have taken so far, in seconds.
pub(crate) fn processor_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the name of the program, in parentheses: it may hold blanks.
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = rest.split_whitespace().skip(11).take(2).map(|field| field.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_and_time_grow() {
        let before = (peak_memory().unwrap(), processor_seconds().unwrap());
        let pages = std::hint::black_box(vec![1u8; 200 << 20]);
        assert!(pages.iter().map(|byte| u64::from(*byte)).sum::<u64>() == 200 << 20);
        let after = (peak_memory().unwrap(), processor_seconds().unwrap());
        assert!(after.0 >= 200 << 20 && after.0 >= before.0 && after.1 >= before.1, "{before:?} {after:?}");
    }
}

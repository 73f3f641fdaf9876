//! Inside tmux, with every name that terminals give themselves.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::skipping::skipped;
use crate::support::{copy, sample};

/// Reached only when a test fails.
const DEADLINE: Duration = Duration::from_secs(60);

/// A tmux server of our own; gone with this.
struct Tmux {
    socket: String,
}

impl Tmux {
    fn start(name: &str, variables: &[(&str, &str)], study: &Path) -> Self {
        let tmux = Self { socket: format!("dejaview-{}-{name}", std::process::id()) };
        let mut command = vec!["env".to_owned(), "-u".to_owned(), "NO_COLOR".to_owned(), "LANG=C.UTF-8".to_owned()];
        command.extend(variables.iter().map(|(name, value)| format!("{name}={value}")));
        command.push(format!("HOME={}", study.display()));
        command.extend([env!("CARGO_BIN_EXE_dejaview").to_owned(), study.display().to_string()]);
        command.extend(["--annotator".to_owned(), "ann".to_owned()]);
        let mut start = vec!["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30"];
        start.extend(command.iter().map(String::as_str));
        let output = tmux.run(&start);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        tmux
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new("tmux").args(["-u", "-L", &self.socket]).args(arguments).output().unwrap()
    }

    /// What is on the screen, with styles if asked for.
    fn text(&self, styles: bool) -> String {
        let flags: &[&str] = if styles { &["capture-pane", "-p", "-e"] } else { &["capture-pane", "-p"] };
        String::from_utf8_lossy(&self.run(flags).stdout).into_owned()
    }

    fn wait_for(&self, words: &str) {
        let until = Instant::now() + DEADLINE;
        while !self.text(false).contains(words) {
            assert!(Instant::now() < until, "waited for {words}:\n{}", self.text(false));
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    fn ended(&self) {
        let until = Instant::now() + DEADLINE;
        while self.run(&["has-session"]).status.success() {
            assert!(Instant::now() < until, "still there:\n{}", self.text(false));
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[test]
fn a_session_inside_tmux_under_every_name() {
    if Command::new("tmux").arg("-V").output().is_err() {
        return skipped("there is no tmux");
    }
    let names: [(&str, &[(&str, &str)]); 6] = [
        ("screen", &[("TERM", "screen")]),
        ("tmux", &[("TERM", "tmux-256color")]),
        ("xterm", &[("TERM", "xterm-256color")]),
        ("linux", &[("TERM", "linux")]),
        ("mono", &[("TERM", "tmux-256color"), ("NO_COLOR", "1")]),
        ("c", &[("TERM", "screen"), ("LANG", "C"), ("LC_ALL", "C")]),
    ];
    for (name, variables) in names {
        let study = copy(sample());
        let tmux = Tmux::start(name, variables, study.path());
        tmux.wait_for("precision (labels)");
        tmux.keys(&["3"]);
        tmux.wait_for(" 1/5,688 ");
        tmux.keys(&["Down", "PageDown", "Home", "Enter"]);
        // Without UTF-8 signs are plain.
        let plain =
            |words: &str| if name == "c" { words.replace('·', ".").replace('✓', "+") } else { words.to_owned() };
        tmux.wait_for("% of B equal");
        let coloured = tmux.text(true).contains("\u{1b}[3");
        assert!(coloured || name == "mono", "{name}: colours");
        if name == "mono" {
            let escapes = tmux.text(true);
            let sets = |number: &str| {
                number.parse::<u32>().is_ok_and(|n| matches!(n, 30..=38 | 40..=48 | 90..=97 | 100..=107))
            };
            let colour = |rest: &str| rest.split('m').next().unwrap_or_default().split(';').any(sets);
            assert!(!escapes.split("\u{1b}[").skip(1).any(colour), "NO_COLOR:\n{}", escapes.escape_debug());
            assert!(escapes.contains("\u{1b}[1m") || escapes.contains("\u{1b}[7m"), "the emphasis stays");
        }
        tmux.keys(&["5"]);
        tmux.wait_for("0/105 decided");
        tmux.wait_for("word by word");
        std::thread::sleep(Duration::from_millis(1300));
        tmux.keys(&["a"]);
        tmux.wait_for(&plain("saved ✓ 1"));
        tmux.keys(&["Q"]);
        tmux.ended();
        assert_eq!(study.labels("ann"), 1, "{name}");
    }
}

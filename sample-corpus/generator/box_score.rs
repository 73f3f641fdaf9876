//! Box scores of the Lantern Coast League: one template, other teams, players and numbers. They look alike and say
//! different things, which is the lesson.

use std::fmt::Write as _;

use crate::{date::Date, rng::Rng};

const POSITIONS: [&str; 9] = ["cf", "2b", "ss", "c", "1b", "lf", "3b", "rf", "p"];

struct Team<'a> {
    name: &'a str,
    ground: &'a str,
    players: Vec<&'a str>,
}

struct Side<'a> {
    team: &'a Team<'a>,
    innings: Vec<i64>,
    hits: i64,
    errors: i64,
}

impl Side<'_> {
    fn runs(&self) -> i64 {
        self.innings.iter().sum()
    }
}

/// Writes one game as a base page. `league` is the family file with its `team:` and `recap:` lines.
pub fn write(league: &str, date: Date, rng: &mut Rng) -> String {
    let teams: Vec<Team<'_>> = league.lines().filter_map(read_team).collect();
    let away = rng.below(teams.len());
    // Neighbours meet most often, so that many games share their players.
    let home = match rng.chance(75) {
        true => away ^ 1,
        false => (away + 1 + rng.below(teams.len() - 1)) % teams.len(),
    };
    if rng.chance(18) {
        return postponed(&teams[away], &teams[home], date, rng);
    }
    let mut sides = [play(&teams[away], rng), play(&teams[home], rng)];
    if sides[0].runs() == sides[1].runs() {
        // Somebody has to win: the home side does, in the ninth.
        sides[1].innings[8] += 1;
        sides[1].hits += 1;
    }
    let attendance = rng.between(310, 4200);
    let date = Date { month: 5 + date.month % 5, ..date };
    let mut out = String::new();
    let [a, h] = &sides;
    let _ = writeln!(out, "title: {} {}, {} {}", a.team.name, a.runs(), h.team.name, h.runs());
    let _ = writeln!(out, "date: {}\n", date.iso());
    write_recap(&mut out, league, &sides, attendance, rng);
    write_line_score(&mut out, &sides);
    for side in &sides {
        write_batting(&mut out, side, rng);
    }
    write_pitching(&mut out, &sides, rng);
    let _ = writeln!(
        out,
        "Time {}:{:02}. Attendance {attendance}. Played at {}.",
        rng.between(1, 3),
        rng.between(8, 59),
        h.team.ground
    );
    out
}

/// A game that was not played has a page all the same: nearly nothing but template.
fn postponed(away: &Team<'_>, home: &Team<'_>, date: Date, rng: &mut Rng) -> String {
    const REASONS: [&str; 5] = ["fog", "rain", "high water", "a wedding", "the herring"];
    let date = Date { month: 5 + date.month % 5, ..date };
    format!(
        "title: {} at {}, postponed\ndate: {}\n\nGame postponed: {}. Tickets remain valid. There is no box score for this game.\n",
        away.name,
        home.name,
        date.iso(),
        rng.pick(&REASONS)
    )
}

fn read_team(line: &str) -> Option<Team<'_>> {
    let mut parts = line.strip_prefix("team:")?.split('|').map(str::trim);
    Some(Team { name: parts.next()?, ground: parts.next()?, players: parts.collect() })
}

fn play<'a>(team: &'a Team<'a>, rng: &mut Rng) -> Side<'a> {
    const RUNS: [i64; 12] = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3];
    let innings: Vec<i64> = (0..9).map(|_| *rng.pick(&RUNS)).collect();
    let hits = innings.iter().sum::<i64>() + rng.between(2, 6);
    Side { team, innings, hits, errors: rng.between(0, 3) }
}

fn write_recap(out: &mut String, league: &str, sides: &[Side<'_>; 2], attendance: i64, rng: &mut Rng) {
    let mut recaps: Vec<&str> = league.lines().filter_map(|l| l.strip_prefix("recap: ")).collect();
    rng.shuffle(&mut recaps);
    let winner = &sides[usize::from(sides[1].runs() > sides[0].runs())];
    let star = winner.team.players[rng.below(8)];
    let text: Vec<String> = recaps
        .iter()
        .take(2)
        .map(|r| {
            r.replace("{away}", &format!("The {}", nickname(sides[0].team.name)))
                .replace("{home}", &format!("The {}", nickname(sides[1].team.name)))
                .replace("{star}", star)
                .replace("{attendance}", &attendance.to_string())
        })
        .collect();
    let _ = writeln!(out, "{}\n", text.join(" "));
}

fn nickname(name: &str) -> &str {
    name.rsplit(' ').next().unwrap_or(name)
}

fn write_line_score(out: &mut String, sides: &[Side<'_>; 2]) {
    let _ = writeln!(out, "== Line score\n");
    let _ = writeln!(out, "|! Team | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | R | H | E |");
    for side in sides {
        let innings: Vec<String> = side.innings.iter().map(ToString::to_string).collect();
        let (runs, hits, errors) = (side.runs(), side.hits, side.errors);
        let _ = writeln!(out, "| {} | {} | {runs} | {hits} | {errors} |", side.team.name, innings.join(" | "));
    }
}

fn write_batting(out: &mut String, side: &Side<'_>, rng: &mut Rng) {
    let mut table = [[0_i64; 6]; 9];
    for (column, total, men) in [(1, side.runs(), 9), (2, side.hits, 8), (3, side.runs(), 8)] {
        for _ in 0..total {
            table[rng.below(men)][column] += 1;
        }
    }
    let _ = writeln!(out, "\n== {} batting\n", side.team.name);
    let _ = writeln!(out, "|! Player | AB | R | H | RBI | BB | SO | AVG |");
    let mut totals = [0_i64; 6];
    for (i, row) in table.iter_mut().enumerate() {
        row[0] = rng.between(3, 5).max(row[2] + rng.between(0, 1));
        row[4] = i64::from(rng.chance(22));
        row[5] = rng.between(0, 2).min(row[0] - row[2]);
        for (total, value) in totals.iter_mut().zip(row.iter()) {
            *total += value;
        }
        // The pitcher bats ninth.
        let player = side.team.players[if i == 8 { 9 } else { i }];
        // The average of the season before, so that it stays with the player.
        let average = Rng::named(0, player).between(188, 344);
        let _ = writeln!(out, "| {player} {} | {} | .{} |", POSITIONS[i], join(row), average);
    }
    let _ = writeln!(out, "| Totals | {} | |", join(&totals));
}

fn write_pitching(out: &mut String, sides: &[Side<'_>; 2], rng: &mut Rng) {
    for (side, other) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
        let first = rng.between(5, 8);
        let hits = rng.between(other.hits / 2, other.hits);
        let runs = rng.between(other.runs() / 2, other.runs()).min(hits);
        let mark = if side.runs() > other.runs() { "W" } else { "L" };
        let _ = writeln!(out, "\n== {} pitching\n", side.team.name);
        let _ = writeln!(out, "|! Pitcher | IP | H | R | ER | BB | SO |");
        for (name, innings, hits, runs) in [
            (format!("{} ({mark})", side.team.players[9]), first, hits, runs),
            (side.team.players[10].to_owned(), 9 - first, other.hits - hits, other.runs() - runs),
        ] {
            let (walks, outs) = (rng.between(0, 3), rng.between(0, innings));
            let earned = (runs - rng.between(0, 1)).max(0);
            let _ = writeln!(out, "| {name} | {innings}.0 | {hits} | {runs} | {earned} | {walks} | {outs} |");
        }
    }
}

fn join(row: &[i64]) -> String {
    row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
}

//! Numbers of tables as programs read them: no commas between thousands, no signs of percent, intervals in columns of their own.

/// What stands for a number that nobody knows.
const UNKNOWN: &str = "–";

/// The rows of a table, its head first; `of_numbers` are the columns that hold numbers. An unknown number is an empty cell.
pub fn plain_numbers(rows: &[&Vec<String>], of_numbers: &[usize]) -> Vec<Vec<String>> {
    let mut plain_rows = vec![Vec::new(); rows.len()];
    let head = rows.first().map(|head| different(head)).unwrap_or_default();
    for (column, name) in head.iter().enumerate() {
        let mut cells: Vec<&str> = rows.iter().map(|row| row.get(column).map_or("", String::as_str)).collect();
        cells[0] = name;
        for (row, plain) in plain_rows.iter_mut().zip(plain_column(&cells, of_numbers.contains(&column))) {
            row.extend(plain);
        }
    }
    plain_rows
}

/// The names of columns, each of which that comes more than once behind that of the column before it: shares are called so.
fn different(head: &[String]) -> Vec<String> {
    let is_repeated = |name: &String| head.iter().filter(|other| *other == name).count() > 1;
    let name = |(i, name): (usize, &String)| match i.checked_sub(1) {
        Some(before) if is_repeated(name) => format!("{}, {name}", head[before]),
        _ => name.clone(),
    };
    head.iter().enumerate().map(name).collect()
}

/// The column or columns that stand for one, its head first.
fn plain_column(cells: &[&str], is_of_numbers: bool) -> Vec<Vec<String>> {
    let Some((head, cells)) = cells.split_first() else { return Vec::new() };
    if cells.iter().any(|cell| interval(cell).is_some()) {
        let names = ["", " low", " high"].map(|part| format!("{head}{part}")).to_vec();
        let parts = cells.iter().map(|cell| match interval(cell) {
            Some(parts) => parts.to_vec(),
            None => vec![number(cell).unwrap_or_else(|| (*cell).to_owned()), String::new(), String::new()],
        });
        return std::iter::once(names).chain(parts).collect();
    }
    if !is_of_numbers {
        return std::iter::once(head).chain(cells).map(|cell| vec![(*cell).to_owned()]).collect();
    }
    let known = || cells.iter().filter(|cell| !["", UNKNOWN].contains(*cell));
    let are_percents = known().count() > 0 && known().all(|cell| percents(cell).is_some());
    let head = if are_percents { format!("{head} (%)") } else { (*head).to_owned() };
    let plain = |cell: &&str| {
        let plain = if are_percents { percents(cell).or_else(|| number(cell)) } else { number(cell) };
        vec![plain.unwrap_or_else(|| (*cell).to_owned())]
    };
    std::iter::once(vec![head]).chain(cells.iter().map(plain)).collect()
}

/// A number without commas; nothing for one that nobody knows. `None` for other texts.
fn number(cell: &str) -> Option<String> {
    if cell == UNKNOWN {
        return Some(String::new());
    }
    let plain = cell.replace(',', "");
    plain.parse::<f64>().ok().filter(|number| number.is_finite()).map(|_| plain)
}

/// `12.3 %`
fn percents(cell: &str) -> Option<String> {
    number(cell.strip_suffix(" %")?)
}

/// `0.92 (0.82–0.97)`
fn interval(cell: &str) -> Option<[String; 3]> {
    let (value, rest) = cell.split_once(" (")?;
    let (low, high) = rest.strip_suffix(')')?.split_once('–')?;
    Some([number(value)?, number(low)?, number(high)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_such_as_programs_read() {
        let rows = [
            ["name", "n", "share", "precision", "mixed"],
            ["1,000", "1,234,567", "12.5 %", "0.92 (0.82–0.97)", "3 %"],
            ["b", "–", "–", "–", "4"],
            ["c (x–y)", "-1.5", "100.0 %", "1.000", "163/26"],
        ];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let rows = plain_numbers(&rows.iter().collect::<Vec<_>>(), &[1, 2, 4]);
        assert_eq!(rows[0], ["name", "n", "share (%)", "precision", "precision low", "precision high", "mixed"]);
        assert_eq!(rows[1], ["1,000", "1234567", "12.5", "0.92", "0.82", "0.97", "3 %"]);
        assert_eq!(rows[2], ["b", "", "", "", "", "", "4"]);
        assert_eq!(rows[3], ["c (x–y)", "-1.5", "100.0", "1.000", "", "", "163/26"]);
        assert!(plain_numbers(&[], &[]).is_empty());
        let head = ["domain", "source", "%", "target", "%"].map(str::to_owned).to_vec();
        assert_eq!(plain_numbers(&[&head], &[])[0], ["domain", "source", "source, %", "target", "target, %"]);
    }
}

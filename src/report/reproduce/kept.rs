//! Chapters as JSON, so that what is finished is not made again.

use serde_json::{Value, json};

use crate::Table;
use crate::page::Block;
use dejaview_study::{KeptParts, StudyError};

/// The blocks of a chapter that was kept and still holds; none when one of them cannot be understood.
pub fn read(parts: &KeptParts<'_>, chapter: &str) -> Option<Vec<Block>> {
    parts.read(chapter)?.as_array()?.iter().map(block).collect()
}

pub fn write(parts: &KeptParts<'_>, chapter: &str, blocks: &[Block]) -> Result<(), StudyError> {
    parts.write(chapter, &blocks.iter().map(value).collect())
}

fn value(block: &Block) -> Value {
    match block {
        Block::Text(text) => json!({ "text": text }),
        Block::Markup(markup) => json!({ "markup": markup }),
        Block::Table(table) => json!({ "table": table_value(table) }),
        Block::Chart { svg, table } => json!({ "svg": svg, "table": table_value(table) }),
    }
}

fn table_value(table: &Table) -> Value {
    json!({
        "name": table.name, "title": table.title, "head": table.head,
        "right": table.right, "rows": table.rows, "notes": table.notes,
    })
}

fn block(value: &Value) -> Option<Block> {
    if let Some(text) = value["text"].as_str() {
        return Some(Block::Text(text.to_owned()));
    }
    if let Some(markup) = value["markup"].as_str() {
        return Some(Block::Markup(markup.to_owned()));
    }
    let table = table(&value["table"])?;
    Some(match value["svg"].as_str() {
        Some(svg) => Block::Chart { svg: svg.to_owned(), table },
        None => Block::Table(table),
    })
}

fn table(value: &Value) -> Option<Table> {
    Some(Table {
        name: static_name(value["name"].as_str()?),
        title: value["title"].as_str()?.to_owned(),
        head: texts(&value["head"])?,
        right: value["right"].as_array()?.iter().map(|c| c.as_u64().map(|c| c as usize)).collect::<Option<_>>()?,
        rows: value["rows"].as_array()?.iter().map(texts).collect::<Option<_>>()?,
        notes: texts(&value["notes"])?,
    })
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

/// The name of a table lives as long as the program. A page has some dozens of them, and the program ends with it.
fn static_name(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back() {
        let mut table = Table::new("t", "Title", &["a", "b"]).right([1]);
        table.row(["x", "1"]);
        table.note("n");
        let svg = "<svg/>".to_owned();
        let blocks = [
            Block::Text("t".to_owned()),
            Block::Markup("<p>".to_owned()),
            Block::Table(table.clone()),
            Block::Chart { svg, table },
        ];
        for before in blocks {
            let after = block(&value(&before)).unwrap();
            assert_eq!(format!("{before:?}"), format!("{after:?}"));
        }
        assert!(block(&json!({ "table": { "name": 1 } })).is_none());
    }
}

//! An evaluation to begin with, for rules that have none: what the rules have names for, with numbers that a fit can
//! change.

use std::collections::BTreeSet;
use std::fmt::Write;

use game::{GameInfo, PropertyKind};
use lang::syntax::Program;

/// What a piece is worth before anything is known of it.
const PIECE: i64 = 100;

/// The text with an evaluation: how many pieces of each kind a player has, in which rows and columns they stand,
/// whether they stand together, the player's own counters, and being to move. All but the pieces themselves is worth
/// nothing until it is fitted.
///
/// ```
/// let text = "dimensions (2, 2)\npieces { man 'X' 'O' }\nsetup\n{\n    ..\n    ..\n}\nmain = find empty field, replace by own man.\n";
/// let source = lang::Source::new("tiny.mg", text);
/// let (program, _) = rules::compile(&source, None).unwrap();
/// let with_evaluation = learn::suggest(text, &lang::parse(&source).tree, &program.info);
/// assert!(with_evaluation.contains("man_rows : man_row[row] = find own man."));
/// ```
#[must_use]
pub fn suggest(text: &str, tree: &Program, info: &GameInfo) -> String {
    let mut suggestions =
        Suggestions { taken: names(tree, info), tables: String::new(), features: String::new() };
    for piece in info.pieces.iter().filter(|piece| !piece.is_neutral()) {
        suggestions.piece(&piece.name, info, tree.tables.is_empty());
    }
    for property in info.properties.iter().filter(|property| property.kind == PropertyKind::Player) {
        let feature = suggestions.fresh(&format!("{}_counted", property.name));
        suggestions.feature(&feature, &format!("0 * {}", property.name), "nothing");
    }
    suggestions.features.push_str("    to move : 0.\n");
    let Suggestions { tables, features, .. } = suggestions;
    let tables = if tables.is_empty() { tables } else { format!("tables\n{{\n{tables}}}\n\n") };
    let place = place(text);
    format!("{}{tables}evaluation\n{{\n{features}}}\n\n{}", &text[..place], &text[place..])
}

struct Suggestions {
    /// Names that mean something already.
    taken: BTreeSet<String>,
    tables: String,
    features: String,
}

impl Suggestions {
    fn piece(&mut self, piece: &str, info: &GameInfo, has_tables: bool) {
        let [count, rows, columns, together] =
            ["count", "rows", "columns", "together"].map(|what| self.fresh(&format!("{piece}_{what}")));
        let found = format!("find own {piece}");
        self.feature(&count, &PIECE.to_string(), &found);
        if has_tables {
            for (feature, what, most) in
                [(rows, "row", info.geometry.rows()), (columns, "column", info.geometry.columns())]
            {
                let table = self.fresh(&format!("{piece}_{what}"));
                let zeros = vec!["0"; most + 1].join(", ");
                // Writing to a string cannot fail.
                let _ = writeln!(self.tables, "    {table} = {zeros}");
                self.feature(&feature, &format!("{table}[{what}]"), &found);
            }
        }
        self.feature(&together, "0", &format!("{found}, any direction, step, points at own {piece}"));
    }

    fn feature(&mut self, name: &str, weight: &str, body: &str) {
        let _ = writeln!(self.features, "    {name} : {weight} = {body}.");
    }

    /// The name, or one like it that is free.
    fn fresh(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

fn names(tree: &Program, info: &GameInfo) -> BTreeSet<String> {
    let rules = tree.functions.iter().map(|rule| rule.name.value.clone());
    let tables = tree.tables.iter().map(|table| table.name.value.clone());
    let pieces = info.pieces.iter().map(|piece| piece.name.clone());
    let properties = info.properties.iter().map(|property| property.name.clone());
    rules.chain(tables).chain(pieces).chain(properties).collect()
}

/// Where sections may be put: before the first position, or else before the first rule.
fn place(text: &str) -> usize {
    let starts = |line: &str, word: &str| {
        line.strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    };
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        if starts(line, "setup") || starts(line, "main") {
            return begin;
        }
        begin += line.len();
    }
    begin
}

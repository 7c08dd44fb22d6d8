//! A random program as data, and its text.

use std::fmt::Write;

use super::tree::Tree;

#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    pub name: String,
    pub neutral: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    pub name: String,
    pub kind: &'static str,
    pub low: i64,
    pub high: i64,
    /// ` silent below 3`
    pub silent: String,
}

/// What the generator makes and the shrinker takes apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub players: usize,
    pub sides: usize,
    pub columns: usize,
    pub rows: usize,
    pub pieces: Vec<Piece>,
    pub properties: Vec<Property>,
    /// Names and numbers.
    pub tables: Vec<(String, Vec<i64>)>,
    /// Lines of the section.
    pub links: Vec<String>,
    /// Rows, then lines below them.
    pub setup: Vec<String>,
    /// Name, weight, rule.
    pub features: Vec<(String, Tree, Tree)>,
    /// `main` is the first one.
    pub rules: Vec<(String, Tree)>,
}

impl Piece {
    /// White's character and black's.
    pub fn characters(&self, index: usize) -> (char, char) {
        let letter = |first: char| char::from_u32(first as u32 + index as u32).expect("there are enough");
        match index {
            0..26 => (letter('A'), letter('a')),
            _ => (letter('Ѐ'), letter('Ҁ')),
        }
    }
}

/// `e4`
pub fn field_name(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

impl Program {
    /// The text in the rule language.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |line: String| writeln!(text, "{line}").unwrap();
        if self.players != 2 {
            line(format!("players = {}", self.players));
        }
        line(format!("dimensions ({}, {})", self.columns, self.rows));
        if self.sides == 1 {
            line("sides = 1".into());
        }
        line("pieces\n{".into());
        for (index, piece) in self.pieces.iter().enumerate() {
            let (white, black) = piece.characters(index);
            line(match (piece.neutral, self.players) {
                (true, _) => format!("    neutral {} '{white}'", piece.name),
                (false, 2) => format!("    {} '{white}' '{black}'", piece.name),
                _ => format!("    {} '{white}'", piece.name),
            });
        }
        line("}".into());
        if !self.properties.is_empty() {
            line("properties\n{".into());
            for Property { name, kind, low, high, silent } in &self.properties {
                line(format!("    {name} : {kind} : [{low} .. {high}]{silent}"));
            }
            line("}".into());
        }
        if !self.tables.is_empty() {
            line("tables\n{".into());
            for (name, values) in &self.tables {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                line(format!("    {name} = {}", values.join(", ")));
            }
            line("}".into());
        }
        if !self.links.is_empty() {
            line(format!("links\n{{\n    {}\n}}", self.links.join("\n    ")));
        }
        line(format!("setup\n{{\n{}\n}}", self.setup.join("\n")));
        if !self.features.is_empty() {
            line("evaluation\n{".into());
            for (name, weight, body) in &self.features {
                line(format!("    {name} : {weight} = {body}."));
            }
            line("}".into());
        }
        for (name, body) in &self.rules {
            line(format!("{name} = {body}."));
        }
        text
    }

    /// All bodies and weights.
    pub fn trees(&self) -> usize {
        self.rules.len() + 2 * self.features.len()
    }

    pub fn tree(&self, index: usize) -> &Tree {
        match index.checked_sub(self.rules.len()) {
            None => &self.rules[index].1,
            Some(index) if index % 2 == 0 => &self.features[index / 2].1,
            Some(index) => &self.features[index / 2].2,
        }
    }

    pub fn tree_mut(&mut self, index: usize) -> &mut Tree {
        match index.checked_sub(self.rules.len()) {
            None => &mut self.rules[index].1,
            Some(index) if index % 2 == 0 => &mut self.features[index / 2].1,
            Some(index) => &mut self.features[index / 2].2,
        }
    }
}

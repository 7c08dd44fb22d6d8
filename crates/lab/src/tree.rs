//! A picture of a searched tree: windows, kinds of nodes, where it was cut, and who searched what.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use game::RuleFault;
use parallel::timeline::SearchedNode;
use search::line::NodeKind;
use search::{Depth, Score};

use crate::subject::Subject;
use crate::trace::escaped;

const BOX: (usize, usize) = (132, 62);
const GAP: (usize, usize) = (10, 46);
/// The sons of a node that are drawn, unless somebody says otherwise.
pub const WIDTH_USUAL: usize = 8;

/// A node of the picture.
#[derive(Debug)]
pub struct Node {
    /// The move that leads to it.
    name: String,
    /// The last visit, and how many there were.
    seen: SearchedNode,
    visits: usize,
    sons: Vec<Node>,
    /// Sons that are not drawn.
    hidden: usize,
}

/// The tree of the last iteration: nodes that were searched several times are as they were left last.
///
/// # Errors
/// When the rules go wrong.
pub fn grow(
    subject: &dyn Subject,
    position: usize,
    nodes: Vec<SearchedNode>,
    width: usize,
) -> Result<Option<Node>, RuleFault> {
    let last = nodes.iter().map(|node| node.portrait.root_depth).max().unwrap_or(Depth(0));
    let mut seen: BTreeMap<Vec<u64>, (SearchedNode, usize)> = BTreeMap::new();
    for node in nodes {
        if node.portrait.root_depth != last {
            continue;
        }
        let path: Vec<u64> = node.portrait.path.iter().map(|signature| signature.0).collect();
        let visits = seen.get(&path).map_or(0, |(_, visits)| *visits);
        seen.insert(path, (node, visits + 1));
    }
    let Some((root, visits)) = seen.get(&Vec::new()).cloned() else { return Ok(None) };
    let mut tree = Node { name: subject.game().to_owned(), seen: root, visits, sons: Vec::new(), hidden: 0 };
    tree.grow(subject, position, &seen, width)?;
    Ok(Some(tree))
}

impl Node {
    fn grow(
        &mut self,
        subject: &dyn Subject,
        position: usize,
        seen: &BTreeMap<Vec<u64>, (SearchedNode, usize)>,
        width: usize,
    ) -> Result<(), RuleFault> {
        let path: Vec<u64> = self.seen.portrait.path.iter().map(|signature| signature.0).collect();
        let below = |other: &&Vec<u64>| other.len() == path.len() + 1 && other.starts_with(&path);
        let mut sons: Vec<&(SearchedNode, usize)> =
            seen.iter().filter(|(other, _)| below(other)).map(|(_, node)| node).collect();
        // The best ones first: those in which the mover of the son is worst off.
        sons.sort_by_key(|(node, _)| (node.portrait.score, node.at));
        self.hidden = sons.len().saturating_sub(width);
        for (node, visits) in sons.into_iter().take(width) {
            let name = subject.moves(position, &node.portrait.path)?.pop().unwrap_or_default();
            let mut son = Node { name, seen: node.clone(), visits: *visits, sons: Vec::new(), hidden: 0 };
            son.grow(subject, position, seen, width)?;
            self.sons.push(son);
        }
        Ok(())
    }

    /// How many nodes are drawn.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.sons.iter().map(Node::count).sum::<usize>()
    }

    fn leaves(&self) -> usize {
        self.sons.iter().map(Node::leaves).sum::<usize>().max(1)
    }

    fn plies(&self) -> usize {
        1 + self.sons.iter().map(Node::plies).max().unwrap_or(0)
    }

    /// The picture as SVG text.
    #[must_use]
    pub fn svg(&self, title: &str) -> String {
        let width = self.leaves() * (BOX.0 + GAP.0) + 40;
        let height = self.plies() * (BOX.1 + GAP.1) + 60;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"20\" y=\"22\" font-size=\"15\">{}</text>\n\
             <text x=\"20\" y=\"40\">border: red principal, blue cut, green all; fill: the processor; double line: cut</text>\n",
            width.max(640),
            escaped(title)
        );
        self.draw(&mut text, 20, 54);
        text + "</svg>\n"
    }

    /// Draws the subtree with its left upper corner there, and says where the middle of its top is.
    fn draw(&self, text: &mut String, left: usize, top: usize) -> (usize, usize) {
        let own = left + (self.leaves() * (BOX.0 + GAP.0) - GAP.0) / 2;
        let mut x = left;
        for son in &self.sons {
            let (middle, above) = son.draw(text, x, top + BOX.1 + GAP.1);
            let _ = writeln!(
                text,
                "<line x1=\"{own}\" y1=\"{}\" x2=\"{middle}\" y2=\"{above}\" stroke=\"#999\"/>",
                top + BOX.1
            );
            x += son.leaves() * (BOX.0 + GAP.0);
        }
        self.draw_box(text, own - BOX.0 / 2, top);
        (own, top)
    }

    fn draw_box(&self, text: &mut String, x: usize, y: usize) {
        let portrait = &self.seen.portrait;
        let is_cut = portrait.score >= portrait.window.beta;
        let border = match portrait.kind {
            NodeKind::Principal => "#c0392b",
            NodeKind::Cut => "#2455a4",
            NodeKind::All => "#2e8b57",
        };
        let hue = (self.seen.processor.0 * 137) % 360;
        let (width, height) = BOX;
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"hsl({hue},60%,90%)\" \
             stroke=\"{border}\" stroke-width=\"{}\"/>",
            if is_cut { 4 } else { 2 }
        );
        let cut = if is_cut { ", cut" } else { "" };
        let repeated = if self.visits > 1 { format!(", {} times", self.visits) } else { String::new() };
        let hidden = if self.hidden > 0 { format!(" (+{})", self.hidden) } else { String::new() };
        let lines = [
            format!("{}   {}", self.name, portrait.score),
            format!("[{}, {}]", bound(portrait.window.alpha), bound(portrait.window.beta)),
            format!("{} of {} moves{hidden}{cut}", portrait.searched, portrait.moves),
            format!("processor {}, depth {}{repeated}", self.seen.processor, portrait.depth.0),
        ];
        for (index, line) in lines.iter().enumerate() {
            let weight = if index == 0 { " font-weight=\"bold\"" } else { "" };
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\"{weight}>{}</text>",
                x + 6,
                y + 14 + 14 * index,
                escaped(line)
            );
        }
    }
}

fn bound(score: Score) -> String {
    if score >= Score::INFINITE {
        "∞".to_owned()
    } else if score <= Score::MINUS_INFINITE {
        "-∞".to_owned()
    } else {
        score.to_string()
    }
}

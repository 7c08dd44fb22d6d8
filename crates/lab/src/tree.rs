//! A picture of a searched tree: windows, kinds of nodes, where it was cut, and who searched what.

use std::fmt::Write as _;

use parallel::tree::Tree;
use search::Score;
use search::line::NodeKind;

use crate::trace::escaped;

const BOX: (usize, usize) = (132, 62);
const GAP: (usize, usize) = (10, 46);
/// The sons of a node that are drawn, unless the caller says otherwise.
pub const WIDTH_USUAL: usize = 8;

/// The picture as SVG text.
#[must_use]
pub fn svg(tree: &Tree, title: &str) -> String {
    let width = tree.leaves() * (BOX.0 + GAP.0) + 40;
    let height = tree.plies() * (BOX.1 + GAP.1) + 60;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"20\" y=\"22\" font-size=\"15\">{}</text>\n\
         <text x=\"20\" y=\"40\">border: red principal, blue cut, green all; fill: the processor; double line: cut</text>\n",
        width.max(640),
        escaped(title)
    );
    draw(tree, &mut text, 20, 54);
    text + "</svg>\n"
}

/// Draws the subtree with its left upper corner there, and says where the middle of its top is.
fn draw(tree: &Tree, text: &mut String, left: usize, top: usize) -> (usize, usize) {
    let own = left + (tree.leaves() * (BOX.0 + GAP.0) - GAP.0) / 2;
    let mut x = left;
    for son in &tree.sons {
        let (middle, above) = draw(son, text, x, top + BOX.1 + GAP.1);
        let _ = writeln!(
            text,
            "<line x1=\"{own}\" y1=\"{}\" x2=\"{middle}\" y2=\"{above}\" stroke=\"#999\"/>",
            top + BOX.1
        );
        x += son.leaves() * (BOX.0 + GAP.0);
    }
    draw_box(tree, text, own - BOX.0 / 2, top);
    (own, top)
}

fn draw_box(tree: &Tree, text: &mut String, x: usize, y: usize) {
    let portrait = &tree.seen.portrait;
    let is_cut = tree.is_cut();
    let border = match portrait.kind {
        NodeKind::Principal => "#c0392b",
        NodeKind::Cut => "#2455a4",
        NodeKind::All => "#2e8b57",
    };
    let hue = (tree.seen.processor.0 * 137) % 360;
    let (width, height) = BOX;
    let _ = writeln!(
        text,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"hsl({hue},60%,90%)\" \
         stroke=\"{border}\" stroke-width=\"{}\"/>",
        if is_cut { 4 } else { 2 }
    );
    let cut = if is_cut { ", cut" } else { "" };
    let repeated = if tree.visits > 1 { format!(", {} times", tree.visits) } else { String::new() };
    let hidden = if tree.hidden > 0 { format!(" (+{})", tree.hidden) } else { String::new() };
    let lines = [
        format!("{}   {}", tree.name, portrait.score),
        format!("[{}, {}]", bound(portrait.window.alpha), bound(portrait.window.beta)),
        format!("{} of {} moves{hidden}{cut}", portrait.searched, portrait.moves),
        format!("processor {}, depth {}{repeated}", tree.seen.processor, portrait.depth.0),
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

fn bound(score: Score) -> String {
    if score >= Score::INFINITE {
        "∞".to_owned()
    } else if score <= Score::MINUS_INFINITE {
        "-∞".to_owned()
    } else {
        score.to_string()
    }
}

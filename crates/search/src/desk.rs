//! What a search lays open to those who share out its work.

use game::Signature;
use table::MoveTag;

use crate::depth::Depth;
use crate::line::{Assignment, Finding, Line, Link, NodeKind};
use crate::memory::MoveMemory;
use crate::ordering::Promise;
use crate::path::Path;
use crate::score::{Score, Window};

/// A brother that was taken off a node to be given to another processor.
pub struct Brother<P> {
    /// What to do.
    pub assignment: Assignment<P>,
    /// Which move it is; [`Desk::absorb`] and [`Desk::give_back`] want to know.
    pub place: Place,
    /// Whether the first move of its node is being searched.
    pub is_early: bool,
}

/// A move of an open node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The ply of the node.
    pub ply: usize,
    /// The move, by its index in the list of the node.
    index: usize,
}

/// A node that may have something to give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenNode {
    /// Its ply.
    pub ply: usize,
    /// What it is expected to be.
    pub kind: NodeKind,
    /// How deep it is searched.
    pub depth: Depth,
    /// Moves that are not begun yet.
    pub free: usize,
    /// Moves whose score is known.
    pub finished: usize,
    /// Moves that others work on.
    pub away: usize,
    /// Whether an earlier search has said which move to begin with.
    pub is_known: bool,
}

/// A node as it is left, for pictures of trees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Portrait {
    /// The signatures of the positions from the root to it, without the root.
    pub path: Vec<Signature>,
    /// What it was expected to be.
    pub kind: NodeKind,
    /// How deep it was searched.
    pub depth: Depth,
    /// How deep the root was searched at that time.
    pub root_depth: Depth,
    /// Its window, as it was in the end.
    pub window: Window,
    /// What it is worth, or a bound of that.
    pub score: Score,
    /// How many moves it has.
    pub moves: usize,
    /// How many of them have a score.
    pub searched: usize,
}

/// What a finding did to its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// Whether the node is worth more than was known.
    pub improved: bool,
    /// Where the search has to go on, if what it does is of no use any more.
    pub cut: Option<usize>,
}

/// The line of a search with all that is needed to share it.
pub struct Desk<'search, P> {
    pub(crate) line: &'search mut Line<P>,
    pub(crate) path: &'search Path,
    pub(crate) standing: &'search [Option<Score>],
    pub(crate) root_depth: i32,
    pub(crate) memory: &'search mut MoveMemory,
}

impl<P: Clone> Desk<'_, P> {
    /// The nodes that may have something to give, the highest first.
    pub fn open_nodes(&self) -> impl Iterator<Item = OpenNode> {
        let nodes = self.line.plies().iter().enumerate();
        nodes.filter(|(_, node)| node.is_open && !node.is_settled()).map(|(ply, node)| OpenNode {
            ply,
            kind: node.arrival.kind,
            depth: node.depth,
            // What follows a move that was skipped is skipped as well, or soon done with.
            free: if node.skips { 0 } else { node.frame.order.len().saturating_sub(node.next) },
            finished: node.finished,
            away: node.away,
            is_known: node.is_known,
        })
    }

    /// How the records of moves have changed since this was asked last, by their places, where they have changed by
    /// so much.
    pub fn take_changes_of_records(&mut self, least: i32) -> Vec<(u16, i32)> {
        self.memory.take_changes(least)
    }

    /// Takes in how the records of moves have changed elsewhere.
    pub fn add_to_records(&mut self, changes: impl Iterator<Item = (u16, i32)>) {
        self.memory.add(changes);
    }

    /// What a node looks like now.
    #[must_use]
    pub fn portrait(&self, ply: usize) -> Option<Portrait> {
        let node = self.line.plies().get(ply)?;
        let steps = if ply == 0 { &[] } else { self.path.steps_to(ply) };
        Some(Portrait {
            path: steps.iter().map(|step| step.signature).collect(),
            kind: node.arrival.kind,
            depth: node.depth,
            root_depth: Depth(self.root_depth),
            window: node.window,
            score: node.best.score,
            moves: node.frame.order.len(),
            searched: node.finished,
        })
    }

    /// How good the next brother of a node looks.
    pub fn promise(&mut self, ply: usize) -> Promise {
        let node = self.line.at(ply);
        if node.next < node.frame.order.len() {
            node.frame.order.select(node.next).promise()
        } else {
            Promise::None
        }
    }

    /// Takes the next brother of a node that has one.
    pub fn take(&mut self, ply: usize, only_test: bool) -> Option<Brother<P>> {
        let standing = [self.standing[ply], ply.checked_sub(1).and_then(|before| self.standing[before])];
        let steps = self.path.steps_to(ply).to_vec();
        let root_depth = self.root_depth;
        let node = self.line.at(ply);
        if !node.is_open || node.is_settled() || node.next >= node.frame.order.len() {
            return None;
        }
        let choice = node.frame.order.select(node.next);
        let tried = node.tried;
        node.next += 1;
        node.tried += 1;
        node.away += 1;
        let assignment = Assignment {
            position: node.position.clone()?,
            steps,
            window: node.present_window(),
            depth: node.depth,
            arrival: node.arrival,
            estimate: node.estimate,
            standing,
            extension: node.extension,
            played: node.frame.moves.get(choice.index()).to_move(),
            tried,
            loss: None,
            root_depth,
            // A null window has no value beyond the test.
            only_test: only_test && !node.window.is_null(),
        };
        let is_early = node.finished == 0;
        Some(Brother { assignment, place: Place { ply, index: choice.index() }, is_early })
    }

    /// Puts a brother back: the processor that worked on it is gone.
    pub fn give_back(&mut self, place: Place) {
        let node = self.line.at(place.ply);
        node.away -= 1;
        node.next -= 1;
        node.tried -= 1;
        node.frame.order.put_back(place.index, node.next);
    }

    /// Takes note of what another processor has found out about a move.
    pub fn absorb(&mut self, place: Place, finding: Finding) -> Effect {
        let node = self.line.at(place.ply);
        node.away -= 1;
        let played = node.frame.moves.get(place.index);
        let tag = MoveTag::of(played.head.signature_difference);
        if finding.skipped {
            node.skip(finding.score);
            return Effect { improved: false, cut: None };
        }
        // Alpha may have risen since the test: then it is not known whether the move is still better.
        if finding.only_tested && finding.score < node.window.beta {
            node.promising.push(place.index);
            return Effect { improved: false, cut: None };
        }
        let mut variation = vec![played.to_move()];
        variation.extend(finding.variation);
        let improved = node.note(tag, finding.score);
        if improved {
            node.variation = Some(variation);
        }
        let cut = if improved { self.line.narrow_below(place.ply) } else { None };
        Effect { improved, cut }
    }

    /// The window of a node, as it is now.
    #[must_use]
    pub fn window(&self, ply: usize) -> Window {
        self.line.plies()[ply].present_window()
    }

    /// Narrows the window of a node that is searched for another processor; says where the search has to go on.
    pub fn narrow(&mut self, ply: usize, window: Window) -> Option<usize> {
        let node = self.line.at(ply);
        node.window =
            Window { alpha: node.window.alpha.max(window.alpha), beta: node.window.beta.min(window.beta) };
        self.line.narrow_below(ply)
    }

    /// Moves of a node that others work on.
    #[must_use]
    pub fn away(&self, ply: usize) -> usize {
        self.line.plies().get(ply).map_or(0, |node| node.away)
    }

    /// Says that nothing more is wanted of a node.
    pub fn settle(&mut self, ply: usize) {
        let node = self.line.at(ply);
        node.window.beta = node.window.alpha;
        node.link = Link::None;
    }
}

//! The node function of alpha-beta and NegaScout. It decides; how to order, prune, reduce and extend is said
//! elsewhere, in functions that a [`crate::Heuristics`] value switches.
//!
//! Scores are fail-soft: at most alpha means "no more than this", at least beta "no less than this".

use game::{Game, MoveView, Outcome, Signature, Stage};
use table::{MoveTag, Table};

use crate::company::Company;
use crate::depth::Depth;
use crate::line::NodeKind;
use crate::memory::PLY_MAX;
use crate::ordering::known_loss;
use crate::peers::Later;
use crate::plan::Plan;
use crate::pruning::Candidate;
use crate::score::{Score, Window};
use crate::searcher::{Frame, Searcher};
use crate::wanted::score_of_first;
use crate::watch::Interrupt;

/// Moves may be skipped one after the other without a node to count: so often the clock is looked at all the same.
const MOVES_BETWEEN_LOOKS: usize = 64;

/// How a node was reached and what is to be left out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Arrival {
    /// The signature difference of the last move.
    pub previous: Signature,
    /// Whether the line has the first move at every node. With null windows alone, nothing else tells the line that
    /// is expected from those that are only to be refuted.
    pub principal: bool,
    /// Whether passing may be tried.
    pub may_pass: bool,
    /// Plies for which the line still counts as forced: a player had just one move a short while ago.
    pub forced_plies: u8,
    /// Whether the mover is threatened with the loss of what cannot be lost, as far as that was asked.
    pub threatened: bool,
    /// A move that is not to be considered: is there another as good?
    pub excluded: Option<MoveTag>,
    /// The greatest place in the list of its father that a move of the line has had, as far as this counts.
    pub widest: u8,
    /// What the node is expected to be. It changes nothing but who may share its work.
    pub kind: NodeKind,
}

/// What is known about a node when its moves are tried.
pub(crate) struct Node<'node, P> {
    pub(crate) position: &'node P,
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    pub(crate) ply: usize,
    pub(crate) arrival: Arrival,
    /// The estimate of the position, if something needed it.
    pub(crate) estimate: Option<Score>,
    /// The same before it was corrected by what searches have found.
    pub(crate) plain_estimate: Option<Score>,
    pub(crate) known: crate::transposition::Known,
    /// What peers call it; 0 if they do not.
    pub(crate) name: u64,
}

impl<P> Node<'_, P> {
    /// Whether the node is only to be refuted: risks may be taken.
    pub(crate) fn is_scouted(&self) -> bool {
        self.window.is_null() && !self.arrival.principal
    }
}

/// What came of the moves of a node.
pub(crate) struct Expanded {
    pub(crate) best: Best,
    /// The window that they were tried with, as it was in the end: another processor may have narrowed it.
    pub(crate) window: Window,
    /// Whether the best move is quiet, or there is none: then the score says something about the estimate.
    pub(crate) is_quiet: bool,
}

/// What looking ahead came to.
pub(crate) enum Ahead {
    /// This is enough.
    Settled(Score),
    /// All moves were looked at.
    Expanded(Expanded),
}

/// The best move so far.
#[derive(Clone, Copy)]
pub(crate) struct Best {
    pub(crate) score: Score,
    pub(crate) tag: Option<MoveTag>,
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// The score of the present position.
    pub(crate) fn node(
        &mut self,
        position: &G::Position,
        window: Window,
        depth: Depth,
        arrival: Arrival,
    ) -> Result<Score, Interrupt> {
        let ply = self.path.ply();
        self.lines[ply].clear();

        // Step 1. Positions that need no search.
        if let Some(score) = self.repetition() {
            self.count_node()?;
            return Ok(score);
        }
        if depth.is_leaf() || ply >= PLY_MAX {
            return self.leaf(position, window, arrival.threatened);
        }
        self.count_node()?;
        if let Some(score) = self.too_far_for_a_better_win(window, ply) {
            return Ok(score);
        }

        // Step 2. The table.
        let key = self.table_key(depth);
        let known = self.probe(key, depth);
        // The principal line is looked at with its own eyes: the table does not know how often a position occurred.
        let principal = arrival.principal || self.is_open(window);
        if ply > 0
            && !principal
            && arrival.excluded.is_none()
            && let Some(entry) = known.entry
            && let Some(score) = self.decided_by(&entry, window, depth, ply)
        {
            self.statistics.table_cutoffs += 1;
            return Ok(score);
        }

        // Step 3. Positions that are good enough, or need less depth, by their estimate.
        let nodes_before = self.watch.nodes();
        let mut node = Node {
            position,
            window,
            depth,
            ply,
            arrival,
            estimate: None,
            plain_estimate: None,
            known,
            name: 0,
        };
        self.judge(&mut node)?;
        if let Some(score) = self.reverse_futility(&node) {
            return Ok(score);
        }

        // Step 4. The moves.
        let mut frame = self.take_frame(ply);
        (frame.is_filled, frame.is_partial, frame.first_score) = (false, false, None);
        let result = if C::PEERS {
            self.look_ahead_beside(&mut node, &mut frame, key)
        } else {
            self.look_ahead(&mut node, &mut frame)
        };
        self.return_frame(ply, frame);
        let Expanded { best, window, is_quiet } = match result? {
            Ahead::Settled(score) => return Ok(score),
            Ahead::Expanded(expanded) => expanded,
        };
        let whole = ply > 0 || self.root.only.is_empty();
        if arrival.excluded.is_none() && whole {
            let nodes = self.watch.nodes() - nodes_before;
            self.remember(key, best.score, window, node.depth, best.tag, nodes);
            if is_quiet {
                self.correct(&node, best.score, window);
            }
        }
        Ok(best.score)
    }

    /// Estimates a position, if something needs that.
    #[inline]
    fn judge(&mut self, node: &mut Node<'_, G::Position>) -> Result<(), Interrupt> {
        if self.needs_estimate(node) {
            let plain = self.evaluate(node.position)?;
            node.plain_estimate = Some(plain);
            node.estimate = Some(self.corrected(node.position, plain));
        }
        self.standing[node.ply] = node.estimate;
        node.estimate = node.estimate.map(|estimate| self.sharpened(estimate, &node.known, node.ply));
        Ok(())
    }

    /// What is good enough after a pass or a capture, or else what comes of all moves.
    pub(crate) fn look_ahead(
        &mut self,
        node: &mut Node<'_, G::Position>,
        frame: &mut Frame,
    ) -> Result<Ahead, Interrupt> {
        if let Some(score) = self.null_move(node, frame)? {
            return Ok(Ahead::Settled(score));
        }
        if let Some(score) = self.probable_cutoff(node, frame)? {
            return Ok(Ahead::Settled(score));
        }
        node.depth = node.depth - self.fail_high_reduction(node) - self.internal_iterative_reduction(node);
        if node.depth.is_leaf() {
            let score = self.leaf(node.position, node.window, node.arrival.threatened)?;
            return Ok(Ahead::Settled(score));
        }
        Ok(Ahead::Expanded(self.expand(node, frame)?))
    }

    /// Generates the moves of a node unless they are there already; returns the outcome if the game is over.
    pub(crate) fn fill(
        &mut self,
        node: &Node<'_, G::Position>,
        frame: &mut Frame,
    ) -> Result<Option<Outcome>, Interrupt> {
        if frame.is_filled {
            return Ok(None);
        }
        let outcome = self.generate(node.position, Stage::All, &mut frame.moves)?;
        frame.is_filled = outcome.is_none();
        Ok(outcome)
    }

    /// Generates the moves and tries them.
    fn expand(&mut self, node: &Node<'_, G::Position>, frame: &mut Frame) -> Result<Expanded, Interrupt> {
        let window = node.window;
        if let Some(expanded) = self.try_first(node, frame)? {
            return Ok(expanded);
        }
        let least = self.fill_sharp(node, frame)?;
        if let Some(outcome) = self.fill(node, frame)? {
            return Ok(Expanded {
                best: Best { score: Score::of_outcome(outcome, node.ply), tag: None },
                window,
                is_quiet: false,
            });
        }
        let principal = node.arrival.principal || self.is_open(node.window);
        let may_look_ahead = node.ply > 0 && !principal && node.arrival.excluded.is_none();
        if may_look_ahead
            && let Some((score, tag)) =
                self.transposition_cutoff(frame.moves.iter(), node.window.beta, node.depth)
        {
            return Ok(Expanded { best: Best { score, tag: Some(tag) }, window, is_quiet: false });
        }
        let hints = self.hints(node.position, self.first_move(node), node.arrival.previous, node.ply);
        self.rank_moves(&frame.moves, hints, &mut frame.order);
        let extension = if frame.is_partial { 0 } else { self.forced_extension(node, &frame.moves) };
        if self.is_shared(node) {
            return self.try_moves_together(node, extension, least, frame);
        }
        self.try_moves(node, extension, least, frame)
    }

    /// Whether more than a refutation is wanted; alpha-beta, whose windows are all open, has no way to tell.
    pub(crate) fn is_open(&self, window: Window) -> bool {
        self.scout && !window.is_null()
    }

    /// The move to begin with: at the root the best of the last iteration, elsewhere what the table says.
    pub(crate) fn first_move(&self, node: &Node<'_, G::Position>) -> Option<MoveTag> {
        match &self.root_best {
            Some((best, _)) if node.ply == 0 => Some(MoveTag::of(best.view().head.signature_difference)),
            _ => node.known.best,
        }
    }

    fn try_moves(
        &mut self,
        node: &Node<'_, G::Position>,
        extension: i32,
        least: Score,
        frame: &mut Frame,
    ) -> Result<Expanded, Interrupt> {
        let mut best = Best { score: least, tag: None };
        let mut alpha = node.window.alpha;
        let mut tried = usize::from(frame.is_partial && frame.first_score.is_some());
        let mut skips_quiet = false;
        frame.later.clear();
        for place in 0..frame.order.len() {
            if place % MOVES_BETWEEN_LOOKS == MOVES_BETWEEN_LOOKS - 1 {
                self.watch.look()?;
            }
            let choice = self.select_sound(node.position, frame, place)?;
            let played = frame.moves.get(choice.index());
            let tag = MoveTag::of(played.head.signature_difference);
            if node.arrival.excluded == Some(tag) {
                continue;
            }
            if C::PEERS && self.is_elsewhere(node, played, place) {
                frame.later.push(Later { index: choice.index(), tried, loss: known_loss(choice) });
                frame.order.skip(place);
                tried += 1;
                continue;
            }
            let nodes_before = self.watch.nodes();
            let turn = Turn {
                played,
                tag,
                tried,
                alpha,
                extension,
                loss: known_loss(choice),
                only: frame.order.len() == 1 && !frame.is_partial,
                only_test: false,
                open: false,
            };
            let result = match score_of_first(frame, played) {
                Some(score) => Tried::Scored(score),
                None => self.try_marked(node, turn, &mut skips_quiet)?,
            };
            let score = match result {
                Tried::Scored(score) => score,
                Tried::Skipped(bound) => {
                    best.score = best.score.max(bound);
                    frame.order.skip(place);
                    continue;
                }
            };
            tried += 1;
            if node.ply == 0 {
                self.count_effort(nodes_before, score > alpha);
            }
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.tag = Some(tag);
                    self.improve(node, played, score);
                }
            }
            alpha = alpha.max(score);
            if score >= node.window.beta {
                self.statistics.cutoffs += 1;
                self.statistics.cutoffs_first += u64::from(tried == 1);
                break;
            }
        }
        if C::PEERS && !frame.later.is_empty() {
            self.try_later(node, extension, &mut best, frame)?;
        }
        let is_quiet = self.learn_from(node, best, node.window, frame);
        Ok(Expanded { best, window: node.window, is_quiet })
    }

    /// Scores a move whose turn it is, or skips it.
    #[inline]
    pub(crate) fn try_choice(
        &mut self,
        node: &Node<'_, G::Position>,
        turn: Turn<'_>,
        skips_quiet: &mut bool,
    ) -> Result<Tried, Interrupt> {
        let Turn { played, tag, tried, alpha, extension, loss, only, only_test, open } = turn;
        let reduction = self.late_move_reduction(node, played, tried, loss);
        let candidate = Candidate { played, tried, reduction, loss };
        if let Some(outcome) = played.head.outcome() {
            self.lines[node.ply + 1].clear();
            return Ok(Tried::Scored(Score::of_outcome(outcome, node.ply + 1)));
        }
        if let Some(bound) = self.pruned(node, candidate, alpha, skips_quiet)? {
            return Ok(Tried::Skipped(bound));
        }
        let extension = extension.max(self.singular_extension(node, tag)?);
        let plan = Plan {
            window: Window { alpha, beta: node.window.beta },
            depth: node.depth - 1 + extension,
            reduction: if extension == 0 { reduction } else { 0 },
            first: tried == 0,
            place: u8::try_from(tried).unwrap_or(u8::MAX),
            only,
            only_test,
            shared: C::SHARES && open,
        };
        Ok(Tried::Scored(self.try_move(node, played, plan)?))
    }

    /// Notes how many nodes a move of the root took.
    pub(crate) fn count_effort(&mut self, nodes_before: u64, is_best: bool) {
        let spent = self.watch.nodes() - nodes_before;
        self.root_effort.all += spent;
        if is_best {
            self.root_effort.best = spent;
        }
    }

    /// A move is better than what was known.
    pub(crate) fn improve(&mut self, node: &Node<'_, G::Position>, played: MoveView<'_>, score: Score) {
        if !node.window.is_null() || node.ply == 0 {
            self.extend_line(node.ply, played);
        }
        if node.ply == 0 && node.arrival.excluded.is_none() {
            self.root_best = Some((played.to_move(), score));
        }
    }
}

/// A move whose turn it is, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Turn<'moves> {
    pub(crate) played: MoveView<'moves>,
    pub(crate) tag: MoveTag,
    /// Moves that were tried before it.
    pub(crate) tried: usize,
    /// What it has to beat.
    pub(crate) alpha: Score,
    /// How much deeper all moves of the node are searched.
    pub(crate) extension: i32,
    /// What it loses by being taken, if ordering has found that out.
    pub(crate) loss: Option<i32>,
    /// Whether there is no other move.
    pub(crate) only: bool,
    /// Whether to find out only whether it is better.
    pub(crate) only_test: bool,
    /// Whether its node is open to others, who may narrow its window.
    pub(crate) open: bool,
}

/// What became of a move.
pub(crate) enum Tried {
    /// Its score, or a bound where it lies outside of the window.
    Scored(Score),
    /// It was not searched: what it may be worth at most.
    Skipped(Score),
}

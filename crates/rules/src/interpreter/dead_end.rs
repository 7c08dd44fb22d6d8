//! How far rules come where they yield nothing: the statement that fails behind the most others, for who asks why
//! there is no move. A machine that plays is not watched.

use game::{Colour, PieceCode, Position};
use lang::Span;

use super::Interpreter;
use super::machine::{Flow, Machine, Next};
use crate::ir::{Node, NodeKind};

/// The statement that nothing gets past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DeadEnd {
    pub(crate) span: Span,
    /// Why it fails, where it comes closest to success.
    pub(crate) why: &'static str,
}

/// What a watched machine has seen.
#[derive(Default)]
pub(super) struct Watch {
    /// Statements that could have failed and did not, on the way here.
    passed: usize,
    furthest: Option<(usize, DeadEnd)>,
}

impl Interpreter {
    /// The statement of the move rules that fails furthest on; none if nothing fails, or the rules go wrong.
    pub(crate) fn furthest(&self, position: &Position) -> Option<DeadEnd> {
        let main = &self.program().functions[self.program().main];
        let mut machine = Machine::new(self.program(), position, position.mover());
        machine.enter(&main.name);
        machine.watch = Some(Box::default());
        machine.run(&main.body, &mut |_| Ok(())).ok()?;
        machine.watch?.furthest.map(|(_, end)| end)
    }
}

impl<'program> Machine<'program> {
    /// Runs a statement and remembers if it lets nothing through.
    pub(super) fn run_watched(&mut self, node: &'program Node, next: Next<'_, 'program>) -> Flow {
        if let NodeKind::Not(body) = &node.kind {
            // What fails in there is welcome.
            let watch = self.watch.take();
            let holds = self.succeeds(body);
            self.watch = watch;
            return if holds? {
                self.note(node.span, "what follows `not` holds");
                Ok(())
            } else {
                self.passing(next)
            };
        }
        let why = self.why_it_fails(&node.kind);
        let Some(why) = why else { return self.follow(node, next) };
        let mut any = false;
        self.follow(node, &mut |machine| {
            any = true;
            machine.passing(next)
        })?;
        if !any {
            self.note(node.span, why);
        }
        Ok(())
    }

    /// Goes on one statement further.
    fn passing(&mut self, next: Next<'_, 'program>) -> Flow {
        self.count_passed(1);
        let flow = next(self);
        self.count_passed(-1);
        flow
    }

    fn count_passed(&mut self, change: isize) {
        if let Some(watch) = &mut self.watch {
            watch.passed = watch.passed.saturating_add_signed(change);
        }
    }

    fn note(&mut self, span: Span, why: &'static str) {
        if let Some(watch) = &mut self.watch
            && watch.furthest.is_none_or(|(passed, _)| watch.passed > passed)
        {
            watch.furthest = Some((watch.passed, DeadEnd { span, why }));
        }
    }

    /// Why a statement fails here if it does; none for those that never fail by themselves.
    fn why_it_fails(&self, kind: &NodeKind) -> Option<&'static str> {
        let needs_finger = matches!(
            kind,
            NodeKind::PointsAt(_)
                | NodeKind::Replace(_)
                | NodeKind::PickUp
                | NodeKind::PutDown
                | NodeKind::Step { .. }
        );
        if needs_finger && self.registers.finger.is_none() {
            return Some("the finger points nowhere yet, `find WHAT` comes first");
        }
        Some(match kind {
            NodeKind::Find(_) => "there is none on the board",
            NodeKind::PointsAt(_) => "something else is on the field",
            NodeKind::PickUp if self.registers.hand != PieceCode::EMPTY => "the hand already holds a piece",
            NodeKind::PickUp => "there is no piece on the field",
            NodeKind::PutDown => "nothing was picked up",
            NodeKind::Step { .. } | NodeKind::MoveTo(..) => "there is no field",
            NodeKind::Assert(_) | NodeKind::Match(_) => "it is not so",
            NodeKind::ToMove(_) if self.mover == Colour::White => "white is to move",
            NodeKind::ToMove(_) => "black is to move",
            NodeKind::Replace(_)
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Assign(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Most(..)
            | NodeKind::Cycle(_)
            | NodeKind::Sequence(_)
            | NodeKind::Call(_) => return None,
        })
    }
}

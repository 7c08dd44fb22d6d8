//! A game played by compiled code, behind the contract.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use game::moves::{MoveHead, Scratch};
use game::{Change, Colour, Field, Game, MoveList, MoveView, Outcome, RuleFault, Stage, text};
use rules::{Interpreter, Program};

use crate::compile::{self, Code, ENOUGH, FaultKind, Goal, Half, Listing, Options, Purpose, Unsupported};
use crate::counting::Expanded;
use crate::doubles::Doubles;
use crate::layout::{MOVER, SIGNATURE, slot};
use crate::runtime::{Call, STOPPED, TOO_MANY_CHANGES, TOO_MANY_RESULTS, write_i32};

/// Distinguishes games in scratch memory. Written once per game; any order will do.
static NEXT_OWNER: AtomicU64 = AtomicU64::new(1);

/// A position of a compiled game: `WORDS` words, of which the game uses as many as it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image<const WORDS: usize>(pub(crate) [u64; WORDS]);

/// A game whose rules are machine code.
pub struct Compiled<const WORDS: usize> {
    pub(crate) program: Program,
    /// For moves and features.
    pub(crate) code: Code,
    /// For counting lines of play; compiled when lines are first counted. `None` if it cannot be.
    counting: OnceLock<Option<Code>>,
    /// For single moves by their numbers; compiled when one is first picked. `None` if it cannot be.
    picking: OnceLock<Option<Code>>,
    /// For the positions after all moves; compiled when they are first wanted. `None` if it cannot be.
    expanding: OnceLock<Option<Code>>,
    /// For some moves without the others; compiled when first asked for. `None` if it cannot be.
    choosing: OnceLock<Option<Code>>,
    /// For what the last moves of a game are worth; compiled when first asked for. `None` if it cannot be.
    settling: OnceLock<Option<Code>>,
    pub(crate) options: Options,
    /// What solves a puzzle, and which pieces its moves do not tell apart: read off the rules before passes change
    /// them.
    pub(crate) goal: Option<Vec<u128>>,
    pub(crate) interchangeable: u128,
    /// Who is asked about positions from outside, if the rules say anything about them.
    pub(crate) judge: Option<Interpreter>,
    /// What the functions look like, if that is wanted.
    listings: Vec<Listing>,
    pub(crate) owner: u64,
}

// SAFETY: the raw pointers in `Code` point to machine code and constant tables that it owns, that never change
// after compilation, and that keep no state between calls: all state is in the caller's context.
unsafe impl<const WORDS: usize> Send for Compiled<WORDS> {}
// SAFETY: as above; calls from several threads share only what never changes.
unsafe impl<const WORDS: usize> Sync for Compiled<WORDS> {}

/// Rules that are ready to be compiled: the passes have been made, so that it is known how much room positions take.
pub struct Prepared {
    /// As it was.
    plain: Program,
    /// After the passes.
    program: Program,
    options: Options,
}

impl Prepared {
    /// Makes the passes.
    #[must_use]
    pub fn new(plain: Program, options: Options) -> Prepared {
        let mut program = plain.clone();
        rules::passes::run(&mut program, |pass| options.skip_passes.contains(pass));
        Prepared { plain, program, options }
    }

    /// The words that a position takes.
    #[must_use]
    pub fn words(&self) -> usize {
        crate::layout::Layout::new(&self.program).words
    }

    /// The rules as they were, for those who cannot compile them.
    #[must_use]
    pub fn into_plain(self) -> Program {
        self.plain
    }
}

impl<const WORDS: usize> Compiled<WORDS> {
    /// Compiles a program.
    ///
    /// # Errors
    /// When the program uses something that is not compiled, or its positions take more than `WORDS` words.
    pub fn new(program: &Program, options: Options) -> Result<Compiled<WORDS>, Unsupported> {
        Compiled::of(&Prepared::new(program.clone(), options))
    }

    /// Compiles rules that are ready for it.
    ///
    /// # Errors
    /// As [`Compiled::new`].
    pub fn of(prepared: &Prepared) -> Result<Compiled<WORDS>, Unsupported> {
        Compiled::build(prepared, false)
    }

    /// Compiles a program and keeps what the functions look like.
    ///
    /// # Errors
    /// As [`Compiled::new`].
    pub fn with_listing(program: &Program, options: Options) -> Result<Compiled<WORDS>, Unsupported> {
        Compiled::build(&Prepared::new(program.clone(), options), true)
    }

    fn build(prepared: &Prepared, listing: bool) -> Result<Compiled<WORDS>, Unsupported> {
        let Prepared { plain, program, options } = prepared;
        let (program, options) = (program.clone(), *options);
        let (goal, interchangeable) = (rules::puzzle::goal(plain), rules::puzzle::interchangeable(plain));
        let judge = Some(Interpreter::new(plain.clone())).filter(Interpreter::judges_positions);
        let mut code = compile::compile(&program, options, listing, Purpose::Playing, 0)?;
        let mut listings = code.take_listing();
        let [counting, picking, expanding, choosing, settling] = [(); 5].map(|()| OnceLock::new());
        if listing {
            let others = [
                (Purpose::Counting, &counting),
                (Purpose::Picking, &picking),
                (Purpose::Expanding, &expanding),
                (Purpose::Choosing, &choosing),
                (Purpose::Settling, &settling),
            ];
            for (purpose, place) in others {
                let mut other = compile::compile(&program, options, true, purpose, 0)?;
                listings.append(&mut other.take_listing());
                place.get_or_init(|| Some(other));
            }
        }
        if code.layout.words > WORDS {
            return Err(Unsupported { reason: format!("positions take {} words", code.layout.words) });
        }
        let owner = NEXT_OWNER.fetch_add(1, Ordering::Relaxed);
        Ok(Compiled {
            program,
            code,
            counting,
            picking,
            expanding,
            choosing,
            settling,
            options,
            goal,
            interchangeable,
            judge,
            listings,
            owner,
        })
    }

    /// What the functions look like; empty unless asked for.
    #[must_use]
    pub fn listing(&self) -> &[Listing] {
        &self.listings
    }

    /// The program as it was compiled.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The positions after all legal moves, with the outcome where a move ends the game; none when it is over. Faster
    /// than playing the moves one by one.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    pub fn successors(
        &self,
        position: &Image<WORDS>,
    ) -> Result<Vec<(Image<WORDS>, Option<Outcome>)>, RuleFault> {
        let mut children = Vec::new();
        let expanded = self.expand(&position.0, &mut Scratch::default(), &mut children, true)?;
        if let Expanded::TooLarge = expanded {
            let mut moves = MoveList::new();
            self.generate(position, Stage::All, &mut moves)?;
            let after = |played: MoveView<'_>| {
                let mut image = *position;
                self.play(&mut image, played);
                (image, played.head.outcome())
            };
            return Ok(moves.iter().map(after).collect());
        }
        let words = self.code.layout.words;
        let records = children.chunks_exact(self.code.layout.record);
        Ok(records.map(|child| (self.image(child), Outcome::from_code(child[words] as i64 as i32))).collect())
    }

    pub(crate) fn mover_of(&self, image: &[u64]) -> Colour {
        Colour::BOTH[(image[MOVER / 8] & 1) as usize]
    }

    pub(crate) fn counting(&self) -> Option<&Code> {
        self.counting.get_or_init(|| self.compile_for(Purpose::Counting)).as_ref()
    }

    pub(crate) fn picking(&self) -> Option<&Code> {
        self.picking.get_or_init(|| self.compile_for(Purpose::Picking)).as_ref()
    }

    pub(crate) fn compile_for(&self, purpose: Purpose) -> Option<Code> {
        let start = self.program.info.start.as_ref();
        let mut moves = MoveList::new();
        if let Some(start) = start {
            // Whatever is wrong with the position will be said when it is played.
            let _ = self.generate(&self.pack(start), Stage::All, &mut moves);
        }
        compile::compile(&self.program, self.options, false, purpose, moves.len()).ok()
    }

    pub(crate) fn expanding(&self) -> Option<&Code> {
        self.expanding.get_or_init(|| self.compile_for(Purpose::Expanding)).as_ref()
    }

    pub(crate) fn choosing(&self) -> Option<&Code> {
        self.choosing.get_or_init(|| self.compile_for(Purpose::Choosing)).as_ref()
    }

    pub(crate) fn settling(&self) -> Option<&Code> {
        let compiled = || match self.program.info.players {
            2 => self.compile_for(Purpose::Settling).filter(Code::walks),
            _ => None,
        };
        self.settling.get_or_init(compiled).as_ref()
    }

    pub(crate) fn fault(
        &self,
        code: &Half,
        status: i64,
        context: &mut [u64],
        image: &Image<WORDS>,
    ) -> RuleFault {
        // Which bits are set is not known.
        context[self.code.context.filter / 8..].fill(0);
        let position = text::write(&self.program.info, &self.unpack(image));
        let main = &self.program.functions[self.program.main];
        let source = &self.program.source;
        let place = |span: lang::Span| {
            let (line, column) = source.line_and_column(span.start);
            format!(" at {}:{line}:{column}", source.name)
        };
        if status == STOPPED {
            return RuleFault::stopped();
        }
        if status == TOO_MANY_RESULTS || status == TOO_MANY_CHANGES {
            let room = self.program.room;
            let message = match status {
                TOO_MANY_RESULTS => room.too_many_results(),
                _ => room.too_many_changes(),
            };
            return RuleFault { message, rule: main.name.clone(), place: place(main.body.span), position };
        }
        let site = &code.faults[context[slot::FAULT / 8] as usize - 1];
        let value = context[slot::FAULT_VALUE / 8] as i64;
        let message = match &site.kind {
            FaultKind::OutOfRange(property) => {
                let property = &self.program.info.properties[*property];
                let (name, low, high) = (&property.name, property.low, property.high);
                format!("{value} is out of range for `{name}` [{low} .. {high}]")
            }
            FaultKind::FingerNowhere => "the finger points nowhere: use `find` or `move to` first".to_owned(),
            FaultKind::DivisionByZero => "division by zero".to_owned(),
            FaultKind::NoElement(table) => {
                let table = &self.program.tables[*table];
                format!("table `{}` has no element {value}, only 0 to {}", table.name, table.values.len() - 1)
            }
            FaultKind::EndlessLoop => {
                format!("this loop does not end: more than {} rounds", rules::limits::LOOP_ROUNDS_MAX)
            }
            FaultKind::EndlessRecursion(rule) | FaultKind::NoStack(rule) => {
                format!("rule `{rule}` calls itself more than {} levels deep", rules::limits::CALL_DEPTH_MAX)
            }
            FaultKind::TooLong => "no end after very many statements for one position".to_owned(),
        };
        RuleFault { message, rule: site.rule.clone(), place: place(site.span), position }
    }

    /// What went wrong first in an evaluation, in the order of the rules: features for both players, one by one. It
    /// may be that nothing did: compiled code counts features for both players that count for one.
    pub(crate) fn evaluate_after_fault(
        &self,
        player: Colour,
        status: i64,
        context: &mut [u64],
        image: &Image<WORDS>,
    ) -> Result<i32, RuleFault> {
        let code = self.code.of(player);
        let site = (context[slot::FAULT / 8] as usize).checked_sub(1).map(|site| &code.faults[site].kind);
        let found = self.fault(code, status, context, image);
        // The interpreter would take long to come to these limits.
        let is_far = matches!(site, Some(FaultKind::NoStack(_) | FaultKind::TooLong));
        let features = &self.program.features;
        if is_far || features.len() < 2 && features.iter().all(|feature| !feature.for_mover) {
            return Err(found);
        }
        Interpreter::new(self.program.clone()).evaluate(&self.unpack(image))
    }

    pub(crate) fn no_moves(&self, image: &Image<WORDS>) -> RuleFault {
        let main = &self.program.functions[self.program.main];
        let (line, column) = self.program.source.line_and_column(main.body.span.start);
        RuleFault {
            message: "there is no legal move and no outcome: let `main` say win, draw or loss here"
                .to_owned(),
            rule: main.name.clone(),
            place: format!(" at {}:{line}:{column}", self.program.source.name),
            position: text::write(&self.program.info, &self.unpack(image)),
        }
    }

    pub(crate) fn context<'scratch>(&self, scratch: &'scratch mut Scratch) -> &'scratch mut [u64] {
        scratch.become_of(self.owner, self.code.context.words);
        &mut scratch.words
    }

    pub(crate) fn call<'call>(
        &'call self,
        code: &'call Code,
        mover: Colour,
        heads: &'call mut Vec<MoveHead>,
        changes: &'call mut Vec<Change>,
        children: &'call mut Vec<u64>,
    ) -> Call<'call> {
        let doubles = Doubles::default();
        Call { code, info: &self.program.info, mover, heads, changes, children, doubles }
    }

    pub(crate) fn image(&self, words: &[u64]) -> Image<WORDS> {
        let mut image = Image([0; WORDS]);
        let used = self.code.layout.words;
        image.0[..used].copy_from_slice(&words[..used]);
        image
    }

    /// Replaces a list by the results of compiled code.
    pub(crate) fn list(
        &self,
        code: &Code,
        goal: Goal,
        position: &Image<WORDS>,
        moves: &mut MoveList,
    ) -> Result<i64, RuleFault> {
        let mover = self.mover_of(&position.0);
        let (heads, changes, scratch) = moves.buffers();
        let context = self.context(scratch);
        let mut children = Vec::new();
        let mut call = self.call(code, mover, heads, changes, &mut children);
        let status = call.run(code.entry(goal, mover), context, &position.0);
        if status != 0 && status != ENOUGH {
            let fault = self.fault(code.of(mover), status, context, position);
            moves.clear();
            return Err(fault);
        }
        call.clear_filter(context);
        Ok(status)
    }

    /// Whether there certainly is a move; the list stays empty.
    pub(crate) fn has_move(
        &self,
        code: &Code,
        position: &Image<WORDS>,
        moves: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        let status = self.list(code, Goal::Any, position, moves)?;
        Ok(status == ENOUGH)
    }

    /// Looks for moves that take what stands on a field, for the first one or for all; `None` if the rules would have to
    /// be looked at more closely.
    pub(crate) fn take(
        &self,
        position: &Image<WORDS>,
        field: Field,
        takers: &mut MoveList,
        all: bool,
    ) -> Result<Option<bool>, RuleFault> {
        let Some(code) = self.choosing() else { return Ok(None) };
        let (_, _, memory) = takers.buffers();
        let context = self.context(memory);
        context[slot::WANTED / 8] = u64::from(field);
        context[slot::ALL_TAKERS / 8] = u64::from(all);
        if self.list(code, Goal::Taking, position, takers)? == ENOUGH {
            return Ok(Some(true));
        }
        let (_, _, memory) = takers.buffers();
        let is_sure = self.context(memory)[slot::UNSURE / 8] == 0;
        Ok(is_sure.then_some(!takers.is_empty()))
    }

    /// Leaves a list with the moves that change a field, found among all; returns whether there are any.
    pub(crate) fn list_takers(
        &self,
        position: &Image<WORDS>,
        field: Field,
        takers: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        self.generate(position, Stage::All, takers)?;
        takers.retain(|played| played.changes_field(field));
        Ok(!takers.is_empty())
    }

    /// Whether a move is found among the legal ones, looking everywhere or where its changes are.
    pub(crate) fn finds(
        &self,
        code: &Code,
        position: &Image<WORDS>,
        candidate: MoveView<'_>,
        scratch: &mut MoveList,
        everywhere: bool,
    ) -> Result<bool, RuleFault> {
        let changes = candidate.changes.iter().filter(|change| change.slot() < self.code.layout.fields);
        let fields = changes.map(|change| change.slot());
        let difference = candidate.head.signature_difference.0;
        let found = self.finds_by_difference(code, position, difference, fields, scratch, everywhere)?;
        Ok(found && scratch.iter().any(|legal| legal.same_as(candidate)))
    }

    /// Whether a move that makes a difference to the signature is found among the legal ones, looking everywhere or
    /// on these fields.
    pub(crate) fn finds_by_difference(
        &self,
        code: &Code,
        position: &Image<WORDS>,
        difference: u64,
        fields: impl Iterator<Item = usize>,
        moves: &mut MoveList,
        everywhere: bool,
    ) -> Result<bool, RuleFault> {
        let (_, _, memory) = moves.buffers();
        let context = self.context(memory);
        context[slot::WANTED / 8] = difference;
        context[slot::NARROW / 8] = u64::from(!everywhere);
        let first = self.code.context.wanted / 8;
        let wanted = &mut context[first..first + self.code.layout.set_words];
        wanted.fill(if everywhere { u64::MAX } else { 0 });
        for field in fields {
            wanted[field / 64] |= 1 << (field % 64);
        }
        Ok(self.list(code, Goal::Legal, position, moves)? == ENOUGH)
    }

    pub(crate) fn apply(&self, image: &mut Image<WORDS>, played: MoveView<'_>, back: bool) {
        let layout = &self.code.layout;
        let words = layout.set_words;
        for change in played.changes {
            let slot = change.slot();
            let (old, new) = if back { (change.new(), change.old()) } else { (change.old(), change.new()) };
            if slot < layout.fields {
                let shift = (layout.mailbox + slot) % 8 * 8;
                let word = &mut image.0[(layout.mailbox + slot) / 8];
                debug_assert_eq!((*word >> shift) as u8, old as u8, "the move does not belong here");
                *word ^= ((old ^ new) as u64 & 0xff) << shift;
                let mut sets =
                    layout.sets_of_code[old as usize & 127] ^ layout.sets_of_code[new as usize & 127];
                while sets != 0 {
                    let set = sets.trailing_zeros() as usize;
                    image.0[layout.set_base / 8 + set * words + slot / 64] ^= 1 << (slot % 64);
                    sets &= sets - 1;
                }
            } else if slot < layout.stored_slots {
                write_i32(&mut image.0, self.property_offset(slot), new);
            }
        }
        image.0[SIGNATURE / 8] ^= played.head.signature_difference.0;
        if self.program.info.players == 2 {
            image.0[MOVER / 8] ^= 1;
        }
    }

    /// Where a stored property lies in an image.
    pub(crate) fn property_offset(&self, slot: usize) -> usize {
        self.code.layout.property_offsets[slot - self.code.layout.fields]
    }
}

//! A game played by compiled code, behind the contract.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use game::moves::{MoveHead, Scratch};
use game::perft::Tally;
use game::text::PositionError;
use game::{
    Advance, Change, Colour, Field, Game, GameInfo, MoveList, MoveView, Outcome, PieceCode, Position,
    PropertyKind, RuleFault, Signature, Stage, text,
};
use rules::{Interpreter, Program};

use crate::compile::{self, Code, ENOUGH, FaultKind, Goal, Half, Listing, Options, Purpose, Unsupported};
use crate::counting::Expanded;
use crate::doubles::Doubles;
use crate::layout::{MOVER, SIGNATURE, slot};
use crate::runtime::{Call, STOPPED, TOO_MANY_CHANGES, TOO_MANY_RESULTS, read_byte, read_i32, write_i32};

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
    /// For counting lines of play; compiled when somebody counts. `None` if it cannot be.
    counting: OnceLock<Option<Code>>,
    /// For single moves by their numbers; compiled when somebody picks one. `None` if it cannot be.
    picking: OnceLock<Option<Code>>,
    /// For the positions after all moves; compiled when somebody wants them. `None` if it cannot be.
    expanding: OnceLock<Option<Code>>,
    /// For some moves without the others; compiled when somebody asks. `None` if it cannot be.
    choosing: OnceLock<Option<Code>>,
    options: Options,
    /// Whether the rules say of moves that they are forcing or quiet.
    marks_moves: bool,
    /// What solves a puzzle, and which pieces its moves do not tell apart: read off the rules before passes change them.
    goal: Option<Vec<u128>>,
    interchangeable: u128,
    /// Who is asked about positions from outside, if the rules say anything about them.
    judge: Option<Interpreter>,
    /// What the functions look like, if somebody wants to know.
    listings: Vec<Listing>,
    owner: u64,
}

// SAFETY: the raw pointers in `Code` point to machine code and constant tables that it owns, that never change
// after compilation, and that keep no state between calls: all state is in the caller's context.
unsafe impl<const WORDS: usize> Send for Compiled<WORDS> {}
// SAFETY: as above; calls from several threads share only what never changes.
unsafe impl<const WORDS: usize> Sync for Compiled<WORDS> {}

/// The words that a position of this program takes.
#[must_use]
pub fn words_needed(program: &Program) -> usize {
    crate::layout::Layout::new(&passes(program, Options::default())).words
}

fn passes(program: &Program, options: Options) -> Program {
    let mut program = program.clone();
    rules::passes::run(&mut program, |pass| options.skip_passes.contains(pass));
    program
}

impl<const WORDS: usize> Compiled<WORDS> {
    /// Compiles a program.
    ///
    /// # Errors
    /// When the program uses something that is not compiled, or its positions take more than `WORDS` words.
    pub fn new(program: &Program, options: Options) -> Result<Compiled<WORDS>, Unsupported> {
        Compiled::build(program, options, false)
    }

    /// Compiles a program and keeps what the functions look like.
    ///
    /// # Errors
    /// As [`Compiled::new`].
    pub fn with_listing(program: &Program, options: Options) -> Result<Compiled<WORDS>, Unsupported> {
        Compiled::build(program, options, true)
    }

    fn build(program: &Program, options: Options, listing: bool) -> Result<Compiled<WORDS>, Unsupported> {
        let (goal, interchangeable) = (rules::puzzle::goal(program), rules::puzzle::interchangeable(program));
        let judge = Some(Interpreter::new(program.clone())).filter(Interpreter::judges_positions);
        let program = passes(program, options);
        let mut code = compile::compile(&program, options, listing, Purpose::Playing, 0)?;
        let mut listings = code.take_listing();
        let [counting, picking, expanding, choosing] = [(); 4].map(|()| OnceLock::new());
        if listing {
            let others = [
                (Purpose::Counting, &counting),
                (Purpose::Picking, &picking),
                (Purpose::Expanding, &expanding),
                (Purpose::Choosing, &choosing),
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
        let marks_moves = program.functions.iter().any(|function| {
            let mut found = false;
            rules::walk::for_each_node(&function.body, &mut |node| {
                found |= matches!(node.kind, rules::ir::NodeKind::Forcing(_));
            });
            found
        });
        Ok(Compiled {
            program,
            code,
            counting,
            picking,
            expanding,
            choosing,
            options,
            marks_moves,
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

    fn compile_for(&self, purpose: Purpose) -> Option<Code> {
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

    fn choosing(&self) -> Option<&Code> {
        self.choosing.get_or_init(|| self.compile_for(Purpose::Choosing)).as_ref()
    }

    pub(crate) fn fault(
        &self,
        code: &Half,
        status: i64,
        context: &mut [u64],
        image: &Image<WORDS>,
    ) -> RuleFault {
        // Nobody knows which bits are set.
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

    /// What went wrong first in an evaluation, in the order of the rules: features for both players, one by one. It may be that
    /// nothing did: compiled code counts features for both players that count for one.
    fn evaluate_after_fault(
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
    fn list(
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
    fn has_move(
        &self,
        code: &Code,
        position: &Image<WORDS>,
        moves: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        let status = self.list(code, Goal::Any, position, moves)?;
        Ok(status == ENOUGH)
    }

    /// Whether a move is found among the legal ones, looking everywhere or where its changes are.
    fn finds(
        &self,
        code: &Code,
        position: &Image<WORDS>,
        candidate: MoveView<'_>,
        scratch: &mut MoveList,
        everywhere: bool,
    ) -> Result<bool, RuleFault> {
        let (_, _, memory) = scratch.buffers();
        let context = self.context(memory);
        context[slot::WANTED / 8] = candidate.head.signature_difference.0;
        context[slot::NARROW / 8] = u64::from(!everywhere);
        let first = self.code.context.wanted / 8;
        let wanted = &mut context[first..first + self.code.layout.set_words];
        wanted.fill(if everywhere { u64::MAX } else { 0 });
        for change in candidate.changes.iter().filter(|change| change.slot() < self.code.layout.fields) {
            wanted[change.slot() / 64] |= 1 << (change.slot() % 64);
        }
        let status = self.list(code, Goal::Legal, position, scratch)?;
        Ok(status == ENOUGH && scratch.iter().any(|legal| legal.same_as(candidate)))
    }

    fn apply(&self, image: &mut Image<WORDS>, played: MoveView<'_>, back: bool) {
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
    fn property_offset(&self, slot: usize) -> usize {
        let layout = &self.code.layout;
        if let Some(index) = layout.scalars.iter().position(|scalar| scalar.slot == slot) {
            let before = layout.scalars[..index].iter().filter(|scalar| scalar.stored).count();
            return layout.scalar_base + 4 * before;
        }
        let properties = layout.field_properties.iter().enumerate();
        let own = properties
            .map(|(index, &property)| (index, self.program.info.properties[property].slot))
            .find(|&(_, first)| (first..first + layout.fields).contains(&slot));
        let (index, first) = own.unwrap_or((0, slot));
        layout.field_property_base + 4 * (layout.fields * index + slot - first)
    }
}

/// Features whose sums are kept on the stack; if there are more, the evaluation runs again for the others.
const FEATURES_AT_ONCE: usize = 64;

thread_local! {
    /// What calls without a move list work with.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl<const WORDS: usize> Game for Compiled<WORDS> {
    type Position = Image<WORDS>;

    fn info(&self) -> &GameInfo {
        &self.program.info
    }

    fn accepts(&self, position: &Position) -> Result<(), PositionError> {
        self.judge.as_ref().map_or(Ok(()), |judge| judge.accepts(position))
    }

    fn admit(&self, position: Position) -> Result<Position, PositionError> {
        match &self.judge {
            Some(judge) => judge.admit(position),
            None => Ok(position),
        }
    }

    fn verdict(&self, position: &Position) -> Result<Option<Outcome>, RuleFault> {
        self.judge.as_ref().map_or(Ok(None), |judge| judge.verdict(position))
    }

    fn pack(&self, position: &Position) -> Image<WORDS> {
        let layout = &self.code.layout;
        let mut image = Image([0; WORDS]);
        image.0[SIGNATURE / 8] = position.signature().0;
        image.0[MOVER / 8] = position.mover().index() as u64;
        for (field, &code) in position.fields().iter().enumerate() {
            let offset = layout.mailbox + field;
            image.0[offset / 8] |= (code as u64 & 0xff) << (offset % 8 * 8);
            for set in 0..layout.sets.len() {
                if layout.sets_of_code[code as usize] >> set & 1 != 0 {
                    image.0[layout.set_base / 8 + set * layout.set_words + field / 64] |= 1 << (field % 64);
                }
            }
        }
        for slot in layout.fields..layout.stored_slots {
            let offset = self.property_offset(slot);
            write_i32(&mut image.0, offset, position.get(slot));
        }
        image
    }

    fn unpack(&self, image: &Image<WORDS>) -> Position {
        let (layout, info) = (&self.code.layout, &self.program.info);
        let mut position = Position::empty(info);
        for field in 0..layout.fields {
            position.set(info, field, i32::from(read_byte(&image.0, layout.mailbox + field)));
        }
        for slot in layout.fields..layout.stored_slots {
            position.set(info, slot, read_i32(&image.0, self.property_offset(slot)));
        }
        position.set_mover(self.mover_of(&image.0));
        position
    }

    fn write(&self, image: &Image<WORDS>, into: &mut Vec<u8>) {
        let (layout, info) = (&self.code.layout, &self.program.info);
        into.push(self.mover_of(&image.0).index() as u8);
        into.extend((0..layout.fields).map(|field| read_byte(&image.0, layout.mailbox + field)));
        for property in info.properties.iter().filter(|property| property.kind != PropertyKind::Move) {
            for slot in property.slot..property.slot + info.slots_of(property) {
                game::bytes::put(property, read_i32(&image.0, self.property_offset(slot)), into);
            }
        }
    }

    fn mover(&self, position: &Image<WORDS>) -> Colour {
        self.mover_of(&position.0)
    }

    fn signature(&self, position: &Image<WORDS>) -> Signature {
        Signature(position.0[SIGNATURE / 8])
    }

    fn generate(
        &self,
        position: &Image<WORDS>,
        stage: Stage,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        let mover = self.mover_of(&position.0);
        if stage == Stage::Forcing
            && let Some(code) = self.choosing()
            // Two ways to a move may mark it differently; the first one counts, so all have to be seen.
            && (!self.marks_moves || self.code.differ(Goal::Moves, mover))
        {
            self.list(code, Goal::Forcing, position, moves)?;
            if moves.is_empty() && self.has_move(code, position, moves)? {
                return Ok(None);
            }
            if moves.iter().any(|result| result.head.forcing() && !result.changes_nothing(self.info())) {
                moves.retain(|result| result.head.forcing());
                return Ok(None);
            }
        }
        self.list(&self.code, Goal::Moves, position, moves)?;
        let info = &self.program.info;
        if moves.iter().all(|result| result.head.outcome().is_some() && result.changes_nothing(info)) {
            let outcome = moves.iter().next().and_then(|result| result.head.outcome());
            moves.clear();
            return match outcome {
                Some(outcome) => Ok(Some(outcome)),
                None => Err(self.no_moves(position)),
            };
        }
        match stage {
            Stage::All => {}
            Stage::Forcing => moves.retain(|result| result.head.forcing()),
            Stage::Quiet => moves.retain(|result| !result.head.forcing()),
        }
        Ok(None)
    }

    fn play(&self, position: &mut Image<WORDS>, played: MoveView<'_>) {
        self.apply(position, played, false);
    }

    fn take_back(&self, position: &mut Image<WORDS>, played: MoveView<'_>) {
        self.apply(position, played, true);
    }

    fn pass(&self, position: &mut Image<WORDS>) -> bool {
        if self.program.info.players != 2 {
            return false;
        }
        position.0[SIGNATURE / 8] ^= Signature::BLACK_TO_MOVE.0;
        position.0[MOVER / 8] ^= 1;
        true
    }

    fn is_legal(
        &self,
        position: &Image<WORDS>,
        candidate: MoveView<'_>,
        scratch: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        if let Some(code) = self.choosing().filter(|_| !candidate.changes_nothing(self.info())) {
            // Most moves change the field that the rules have found first; if that leads nowhere, all are tried.
            for everywhere in [false, true] {
                if self.finds(code, position, candidate, scratch, everywhere)? {
                    return Ok(true);
                }
            }
        }
        // Not there, or another one that looks the same at a glance.
        self.generate(position, Stage::All, scratch)?;
        Ok(scratch.iter().any(|legal| legal.same_as(candidate)))
    }

    fn can_take(
        &self,
        position: &Image<WORDS>,
        field: Field,
        scratch: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        if let Some(code) = self.choosing() {
            let (_, _, memory) = scratch.buffers();
            self.context(memory)[slot::WANTED / 8] = u64::from(field);
            if self.list(code, Goal::Taking, position, scratch)? == ENOUGH {
                return Ok(true);
            }
            let (_, _, memory) = scratch.buffers();
            if self.context(memory)[slot::UNSURE / 8] == 0 {
                return Ok(false);
            }
        }
        self.generate(position, Stage::All, scratch)?;
        Ok(scratch.iter().any(|played| played.changes_field(field)))
    }

    fn symmetries(&self) -> Vec<game::Symmetry> {
        rules::symmetries(&self.program)
    }

    fn goal(&self) -> Option<Vec<u128>> {
        self.goal.clone()
    }

    fn interchangeable(&self) -> u128 {
        self.interchangeable
    }

    /// Whether the mover would fail the test that closes a move by doing nothing; no, where the test goes wrong.
    fn is_threatened(&self, position: &Image<WORDS>) -> Option<bool> {
        self.program.closing_test?;
        let code = self.choosing()?;
        SCRATCH.with_borrow_mut(|scratch| {
            let context = self.context(scratch);
            let mover = self.mover_of(&position.0);
            let (mut heads, mut changes, mut children) = (Vec::new(), Vec::new(), Vec::new());
            let mut call = self.call(code, mover, &mut heads, &mut changes, &mut children);
            let status = call.run(code.entry(Goal::Threatened, mover), context, &position.0);
            Some(status == ENOUGH)
        })
    }

    fn locate(&self, position: &Image<WORDS>, code: PieceCode) -> Option<Field> {
        let layout = &self.code.layout;
        let same = u64::from(code.0) * 0x0101_0101_0101_0101;
        for (word, &codes) in position.0[layout.mailbox / 8..].iter().enumerate() {
            if 8 * word >= layout.fields {
                break;
            }
            let differs = codes ^ same;
            // The lowest byte that is 0 has its high bit set here, and none below it has.
            let zero = differs.wrapping_sub(0x0101_0101_0101_0101) & !differs & 0x8080_8080_8080_8080;
            let field = 8 * word + zero.trailing_zeros() as usize / 8;
            if zero != 0 && field < layout.fields {
                return Some(field as Field);
            }
        }
        None
    }

    fn evaluate(&self, position: &Image<WORDS>) -> Result<i32, RuleFault> {
        if self.program.features.is_empty() {
            return Ok(0);
        }
        SCRATCH.with_borrow_mut(|scratch| {
            let context = self.context(scratch);
            let mover = self.mover_of(&position.0);
            let players =
                if self.program.info.players == 2 { &[mover, mover.opponent()][..] } else { &[mover] };
            let features = self.program.features.len();
            let sums = self.code.context.sums / 8;
            let mut values = [0_i64; FEATURES_AT_ONCE];
            let mut sum = 0_i64;
            for first in (0..features).step_by(FEATURES_AT_ONCE) {
                let these = first..features.min(first + FEATURES_AT_ONCE);
                for &player in players {
                    let (mut heads, mut changes, mut children) = (Vec::new(), Vec::new(), Vec::new());
                    let mut call = self.call(&self.code, player, &mut heads, &mut changes, &mut children);
                    context[sums..sums + features].fill(0);
                    let status = call.run(self.code.entry(Goal::Evaluation, player), context, &position.0);
                    if status != 0 {
                        return self.evaluate_after_fault(player, status, context, position);
                    }
                    for (value, feature) in values.iter_mut().zip(these.clone()) {
                        let counted = context[sums + feature] as i64;
                        if player == mover {
                            *value = counted;
                        } else if !self.program.features[feature].for_mover {
                            *value = value.saturating_sub(counted);
                        }
                    }
                }
                sum = values[..these.len()].iter().fold(sum, |sum, value| sum.saturating_add(*value));
            }
            Ok(rules::estimate(sum))
        })
    }

    fn count(&self, position: &Image<WORDS>, moves: &mut MoveList) -> Result<usize, RuleFault> {
        moves.clear();
        let (_, _, scratch) = moves.buffers();
        let mut buffer = Vec::new();
        Ok(self.count_results(&position.0, scratch, &mut buffer)? as usize)
    }

    fn advance(
        &self,
        position: &mut Image<WORDS>,
        scratch: &mut MoveList,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Advance, RuleFault> {
        match self.pick(position, scratch, choose) {
            Some(advance) => Ok(advance),
            None => game::advance_by_list(self, position, scratch, choose),
        }
    }

    fn perft(&self, position: &Image<WORDS>, depth: u32, tally: &mut Tally<'_>) -> Result<(), RuleFault> {
        self.count_lines(position, depth, tally)
    }
}

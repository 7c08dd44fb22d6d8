//! A game played by compiled code, behind the contract.

use std::sync::atomic::{AtomicU64, Ordering};

use game::moves::Scratch;
use game::perft::Tally;
use game::{
    Colour, Game, GameInfo, MoveList, MoveView, Outcome, Position, RuleFault, Signature, Stage, text,
};
use rules::Program;

use crate::compile::{self, Code, FaultKind, Listing, Options, Unsupported};
use crate::doubles::Doubles;
use crate::layout::{MOVER, SIGNATURE, slot};
use crate::runtime::{Call, TOO_MANY_RESULTS, TOO_MUCH_MEMORY, read_byte, read_i32, write_i32};

/// Distinguishes games in scratch memory. Written once per game; any order will do.
static NEXT_OWNER: AtomicU64 = AtomicU64::new(1);

/// A position of a compiled game: `WORDS` words, of which the game uses as many as it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image<const WORDS: usize>([u64; WORDS]);

/// A game whose rules are machine code.
pub struct Compiled<const WORDS: usize> {
    program: Program,
    code: Code,
    owner: u64,
    move_properties: bool,
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
        let program = passes(program, options);
        let code = compile::compile(&program, options, listing)?;
        if code.layout.words > WORDS {
            return Err(Unsupported { reason: format!("positions take {} words", code.layout.words) });
        }
        let move_properties = code.layout.scalars.iter().any(|scalar| !scalar.stored);
        let owner = NEXT_OWNER.fetch_add(1, Ordering::Relaxed);
        Ok(Compiled { program, code, owner, move_properties })
    }

    /// What the functions look like; empty unless asked for.
    #[must_use]
    pub fn listing(&self) -> &[Listing] {
        &self.code.listing
    }

    /// The program as it was compiled.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    fn mover_of(&self, image: &[u64]) -> Colour {
        Colour::BOTH[(image[MOVER / 8] & 1) as usize]
    }

    fn fault(&self, status: i64, context: &mut [u64], image: &Image<WORDS>) -> RuleFault {
        // Nobody knows which bits are set.
        context[self.code.context.filter / 8..].fill(0);
        let position = text::write(&self.program.info, &self.unpack(image));
        let main = &self.program.functions[self.program.main];
        let source = &self.program.source;
        let place = |span: lang::Span| {
            let (line, column) = source.line_and_column(span.start);
            format!(" at {}:{line}:{column}", source.name)
        };
        if status == TOO_MANY_RESULTS {
            let message = format!("more than {} results for one position", rules::limits::RESULTS_MAX);
            return RuleFault { message, rule: main.name.clone(), place: place(main.body.span), position };
        }
        let site = &self.code.faults[context[slot::FAULT / 8] as usize - 1];
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

    fn no_moves(&self, image: &Image<WORDS>) -> RuleFault {
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

    fn context<'scratch>(&self, scratch: &'scratch mut Scratch) -> &'scratch mut [u64] {
        if scratch.owner != self.owner {
            scratch.owner = self.owner;
            scratch.words.clear();
            scratch.words.resize(self.code.context.words, 0);
        }
        &mut scratch.words
    }

    /// The positions after every legal move, each with its outcome behind it; false if they take too much memory.
    /// Not for games with `move` properties, where equal positions can be different moves.
    fn expand(
        &self,
        position: &Image<WORDS>,
        scratch: &mut Scratch,
        children: &mut Vec<u64>,
    ) -> Result<bool, RuleFault> {
        let context = self.context(scratch);
        let mover = self.mover_of(&position.0);
        let (mut heads, mut changes) = (Vec::new(), Vec::new());
        let mut call = Call {
            code: &self.code,
            info: &self.program.info,
            mover,
            heads: &mut heads,
            changes: &mut changes,
            children,
            doubles: Doubles::default(),
        };
        let status = call.run(self.code.children[mover.index()], context, &position.0);
        if status == TOO_MUCH_MEMORY {
            context[self.code.context.filter / 8..].fill(0);
            return Ok(false);
        }
        if status != 0 {
            return Err(self.fault(status, context, position));
        }
        call.clear_filter(context, position.0[SIGNATURE / 8]);
        let words = self.code.layout.words;
        let none = i64::from(i32::MIN) as u64;
        let records = children.chunks_exact(words + 1);
        let turn = if self.program.info.players == 2 { 1 } else { 0 };
        let is_verdict = |record: &[u64]| {
            record[words] != none
                && record[2..words] == position.0[2..words]
                && record[MOVER / 8] ^ turn == position.0[MOVER / 8]
        };
        if records.clone().all(is_verdict) {
            let is_finished = !children.is_empty();
            children.clear();
            return if is_finished { Ok(true) } else { Err(self.no_moves(position)) };
        }
        Ok(true)
    }

    fn below(
        &self,
        position: &Image<WORDS>,
        scratch: &mut Scratch,
        buffers: &mut [Vec<u64>],
        tally: &mut Tally<'_>,
    ) -> Result<(), RuleFault> {
        let Some((children, deeper)) = buffers.split_first_mut() else {
            tally.leaves += 1;
            return Ok(());
        };
        if deeper.len() > 1 && tally.should_stop() {
            return Ok(());
        }
        if !self.expand(position, scratch, children)? {
            *children = Vec::new();
            return game::perft::count(self, position, deeper.len() as u32 + 1, tally);
        }
        if children.is_empty() {
            tally.ended += 1;
            return Ok(());
        }
        let record = self.code.layout.words + 1;
        let none = i64::from(i32::MIN) as u64;
        let goes_on = self.program.info.players != 2;
        let count = (children.len() / record) as u64;
        tally.nodes += count;
        if deeper.is_empty() {
            tally.leaves += count;
        }
        for child in children.chunks_exact(record) {
            let ends = !goes_on && child[record - 1] != none;
            tally.ended += u64::from(ends);
            if !ends && !deeper.is_empty() {
                let mut image = Image([0; WORDS]);
                image.0[..record - 1].copy_from_slice(&child[..record - 1]);
                self.below(&image, scratch, deeper, tally)?;
            }
        }
        Ok(())
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

impl<const WORDS: usize> Game for Compiled<WORDS> {
    type Position = Image<WORDS>;

    fn info(&self) -> &GameInfo {
        &self.program.info
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
        let (heads, changes, scratch) = moves.buffers();
        let context = self.context(scratch);
        let mut children = Vec::new();
        let mut call = Call {
            code: &self.code,
            info: &self.program.info,
            mover,
            heads,
            changes,
            children: &mut children,
            doubles: Doubles::default(),
        };
        let status = call.run(self.code.moves[mover.index()], context, &position.0);
        if status != 0 {
            let fault = self.fault(status, context, position);
            moves.clear();
            return Err(fault);
        }
        call.clear_filter(context, 0);
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

    fn evaluate(&self, position: &Image<WORDS>) -> Result<i32, RuleFault> {
        let mut scratch = Scratch::default();
        let context = self.context(&mut scratch);
        let mut sum = 0_i64;
        let mover = self.mover_of(&position.0);
        for feature in &self.code.features {
            let mut value = 0_i64;
            let players = if self.program.info.players == 2 { &[1, -1][..] } else { &[1][..] };
            for (&sign, player) in players.iter().zip([mover, mover.opponent()]) {
                let (mut heads, mut changes, mut children) = (Vec::new(), Vec::new(), Vec::new());
                let mut call = Call {
                    code: &self.code,
                    info: &self.program.info,
                    mover: player,
                    heads: &mut heads,
                    changes: &mut changes,
                    children: &mut children,
                    doubles: Doubles::default(),
                };
                let status = call.run(feature[player.index()], context, &position.0);
                if status != 0 {
                    return Err(self.fault(status, context, position));
                }
                let counted = context[slot::SUM / 8] as i64;
                value = if sign > 0 { counted } else { value.saturating_sub(counted) };
            }
            sum = sum.saturating_add(value);
        }
        Ok(sum.clamp(i64::from(i32::MIN / 4), i64::from(i32::MAX / 4)) as i32)
    }

    fn perft(&self, position: &Image<WORDS>, depth: u32, tally: &mut Tally<'_>) -> Result<(), RuleFault> {
        if self.move_properties {
            return game::perft::count(self, position, depth, tally);
        }
        let mut buffers = vec![Vec::new(); depth as usize];
        self.below(position, &mut Scratch::default(), &mut buffers, tally)
    }
}

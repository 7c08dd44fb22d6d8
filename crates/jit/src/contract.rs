//! What a compiled game offers: the contract, by calls of machine code.

use std::cell::RefCell;

use game::moves::Scratch;
use game::perft::Tally;
use game::text::PositionError;
use game::{
    Advance, Colour, Field, Game, GameInfo, MoveList, MoveView, Outcome, PieceCode, Position, PropertyKind,
    RuleFault, Signature, Stage, Watched, watched,
};

use crate::compile::{ENOUGH, Goal};
use crate::game::{Compiled, Image};
use crate::layout::{MOVER, SIGNATURE};
use crate::runtime::{read_byte, read_i32, write_i32};

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

    fn values(&self, image: &Image<WORDS>, into: &mut Vec<i32>) {
        let layout = &self.code.layout;
        into.resize(layout.stored_slots, 0);
        let words = &image.0[layout.mailbox / 8..][..layout.fields.div_ceil(8)];
        // Eight fields at a time: searches with a network ask for this at every position.
        let (whole, rest) = into[..layout.fields].as_chunks_mut::<8>();
        for (values, word) in whole.iter_mut().zip(words) {
            *values = word.to_le_bytes().map(i32::from);
        }
        let last = words.last().map_or([0; 8], |word| word.to_le_bytes());
        rest.iter_mut().zip(last).for_each(|(value, byte)| *value = i32::from(byte));
        let stored = layout.scalars.iter().filter(|scalar| scalar.stored).enumerate();
        for (index, scalar) in stored {
            into[scalar.slot] = read_i32(&image.0, layout.scalar_base + 4 * index);
        }
        for (index, &property) in layout.field_properties.iter().enumerate() {
            let base = layout.field_property_base + 4 * layout.fields * index;
            let slots = &mut into[self.program.info.properties[property].slot..][..layout.fields];
            for (field, value) in slots.iter_mut().enumerate() {
                *value = read_i32(&image.0, base + 4 * field);
            }
        }
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
        if stage == Stage::Forcing
            && let Some(code) = self.choosing()
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

    fn generate_sharp(
        &self,
        position: &Image<WORDS>,
        fields: u128,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        let words = self.code.layout.set_words;
        let Some(code) = self.choosing().filter(|_| words <= 2) else {
            return self.generate(position, Stage::All, moves);
        };
        let goal = if fields == 0 { Goal::Forcing } else { Goal::Sharp };
        let (_, _, memory) = moves.buffers();
        let wanted = &mut self.context(memory)[self.code.context.wanted / 8..][..words];
        for (word, bits) in wanted.iter_mut().zip([fields as u64, (fields >> 64) as u64]) {
            *word = bits;
        }
        self.list(code, goal, position, moves)?;
        let info = &self.program.info;
        let is_verdict =
            |result: MoveView<'_>| result.head.outcome().is_some() && result.changes_nothing(info);
        if moves.iter().any(is_verdict) {
            let stage = if fields == 0 { Stage::Forcing } else { Stage::All };
            return self.generate(position, stage, moves);
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

    fn find_move(
        &self,
        position: &Image<WORDS>,
        difference: Signature,
        fields: &[Field],
        moves: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        let Some(code) = self.choosing() else {
            moves.clear();
            return Ok(false);
        };
        let fields = fields.iter().map(|&field| usize::from(field));
        let found = self.finds_by_difference(code, position, difference.0, fields, moves, false)?;
        if found && moves.len() > 1 {
            moves.retain(|legal| legal.head.signature_difference == difference);
        }
        Ok(found && !moves.is_empty() && !moves.get(0).changes_nothing(self.info()))
    }

    fn is_over(&self, position: &Image<WORDS>, scratch: &mut MoveList) -> Result<bool, RuleFault> {
        if let Some(code) = self.choosing()
            && self.has_move(code, position, scratch)?
        {
            return Ok(false);
        }
        Ok(self.generate(position, Stage::All, scratch)?.is_some())
    }

    fn can_take(
        &self,
        position: &Image<WORDS>,
        field: Field,
        scratch: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        match self.take(position, field, scratch, false)? {
            Some(can) => Ok(can),
            None => self.list_takers(position, field, scratch),
        }
    }

    fn find_takers(
        &self,
        position: &Image<WORDS>,
        field: Field,
        takers: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        let found = self.take(position, field, takers, true)?;
        if found.is_none() {
            self.list_takers(position, field, takers)?;
        }
        Ok(found.is_some())
    }

    fn symmetries(&self) -> Vec<game::Symmetry> {
        match self.options.skip_passes == rules::passes::PassSet::NONE {
            true => rules::symmetries_after_passes(&self.program),
            false => rules::symmetries(&self.program),
        }
    }

    fn goal(&self) -> Option<Vec<u128>> {
        self.goal.clone()
    }

    fn interchangeable(&self) -> u128 {
        self.interchangeable
    }

    fn summands(&self) -> Option<Box<dyn game::Summands>> {
        Some(Box::new(rules::Parts::new(&self.program)?))
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

    fn watch_threats(&self, position: &Image<WORDS>, watched: &mut Watched) -> bool {
        let layout = &self.code.layout;
        let opponent = self.mover_of(&position.0).opponent();
        if self.program.closing_test.is_none() || layout.fields > watched::FIELDS_MAX {
            return false;
        }
        let Some(code) = self.choosing() else { return false };
        let Some(test) = &code.of(opponent).watched else { return false };
        SCRATCH.with_borrow_mut(|scratch| {
            let context = self.context(scratch);
            let (mut heads, mut changes, mut children) = (Vec::new(), Vec::new(), Vec::new());
            let mut call = self.call(code, opponent, &mut heads, &mut changes, &mut children);
            let status = call.run(code.entry(Goal::Watched, opponent), context, &position.0);
            if status != 0 && status != ENOUGH {
                return false;
            }
            let record = &context[code.context.tests / 8 + test.word..];
            watched.restart(record[1] != 0);
            for (class, &codes) in test.classes.iter().enumerate() {
                let words = &record[2 + class * layout.set_words..][..layout.set_words];
                let high = words.get(1).map_or(0, |&word| u128::from(word) << 64);
                watched.add(codes, u128::from(words[0]) | high);
            }
            for &codes in &test.searched {
                watched.add(codes, u128::MAX);
            }
            true
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

    fn settles(&self) -> u64 {
        self.settling().map_or(0, |_| crate::settling::NODES)
    }

    fn settle(&self, position: &Image<WORDS>, at_least: i64, nodes_max: u64) -> game::Settled {
        self.settle_lines(position, at_least, nodes_max)
    }

    fn perft(&self, position: &Image<WORDS>, depth: u32, tally: &mut Tally<'_>) -> Result<(), RuleFault> {
        self.count_lines(position, depth, tally)
    }
}

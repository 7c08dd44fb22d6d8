//! Code that counts lines of play block by block, where moves are constant permutations: see [`super::blocks`].
//!
//! An encoded position is the signature, then one byte a block in vectors. A move shuffles the vectors and twists some
//! bytes. Moves that concern the same blocks (the three turns of a face) are taken together: for each of those blocks
//! a row of a table tells what all of them do to the signature. The position after a move is written behind the
//! position, one after the other.

use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8X16, I16X8, I64, I64X2};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type, Value};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};
use game::PieceCode;
use game::info::field_key;

use super::Compiler;
use super::blocks::{Blocks, VECTOR};
use super::function::{CONTINUE, Compiled, TRUSTED};
use super::permuting::permutations;
use crate::blocks::{Encoding, run};

/// What is written for a program whose moves permute blocks.
pub(crate) struct Blockwise {
    pub(crate) encoding: Encoding,
    /// What the code reads.
    pub(crate) table: Box<[u128]>,
    /// For the last ply, played and only counted, and for all plies before it.
    pub(crate) played: FuncId,
    pub(crate) counted: FuncId,
    pub(crate) walk: FuncId,
}

/// Moves that concern the same blocks.
struct Bundle {
    permutations: Vec<usize>,
    /// By kind, the places of those blocks.
    places: Vec<Vec<usize>>,
    /// Where the rows of the table are, by pair of permutations and kind, in bytes; the last pair may be a single one.
    rows: Vec<Vec<usize>>,
}

/// What a function does with a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Played,
    Counted,
    Walk,
}

/// For vectors, whatever they are aligned to.
const PLAIN: MemFlagsData = MemFlagsData::new().with_notrap();

/// For tables.
const CONSTANT: MemFlagsData = MemFlagsData::trusted().with_readonly().with_can_move();

/// Writes the code if the program is of this kind.
pub(crate) fn compile(compiler: &mut Compiler<'_>) -> Compiled<Option<Blockwise>> {
    let start = compiler.program.info.start.as_ref().filter(|_| compiler.options.static_changes);
    let (Some(start), Some(permutations)) = (start, permutations(compiler)) else { return Ok(None) };
    let start: Vec<u8> = start.fields().iter().map(|&code| code as u8).collect();
    let Some(blocks) = Blocks::of(&permutations, &start) else { return Ok(None) };
    let Some(plan) = Plan::of(blocks) else { return Ok(None) };
    let [played, counted, walk] =
        [(Part::Played, "blocks played"), (Part::Counted, "blocks counted"), (Part::Walk, "blocks walked")]
            .map(|(part, name)| {
                let id = compiler.declare(name, 3)?;
                plan.write(compiler, id, part, name)?;
                Ok(id)
            });
    let encoding = Encoding::new(plan.blocks);
    Ok(Some(Blockwise { encoding, table: plan.table, played: played?, counted: counted?, walk: walk? }))
}

/// What is known before code is written.
struct Plan {
    blocks: Blocks,
    bundles: Vec<Bundle>,
    table: Box<[u128]>,
    /// Bytes of the table from one number of a block to the next, for a single permutation.
    unit: usize,
}

impl Plan {
    fn of(blocks: Blocks) -> Option<Plan> {
        let places = |permutation: usize| -> Vec<Vec<usize>> {
            let moved = blocks.kinds.iter().map(|kind| {
                (0..kind.places.len()).filter(|&place| kind.is_moved(permutation, place)).collect()
            });
            moved.collect()
        };
        let mut bundles: Vec<Bundle> = Vec::new();
        for permutation in 0..blocks.permutations {
            let places = places(permutation);
            match bundles.iter_mut().find(|bundle| bundle.places == places) {
                Some(bundle) => bundle.permutations.push(permutation),
                None => bundles.push(Bundle { permutations: vec![permutation], places, rows: Vec::new() }),
            }
        }
        let most = bundles.iter().flat_map(|bundle| &bundle.places).map(Vec::len).max()?;
        let unit = 8 * most;
        let codes = blocks.kinds.iter().map(|kind| kind.codes()).max()?;
        // Offsets in a table are 16-bit numbers.
        if codes * unit > 1 << 16 {
            return None;
        }
        let mut table: Vec<u64> = Vec::new();
        for bundle in &mut bundles {
            for pair in bundle.permutations.chunks(2) {
                let rows = bundle.places.iter().enumerate().map(|(kind, places)| {
                    let first = 8 * table.len();
                    add_rows(&mut table, &blocks, kind, places, pair, unit);
                    first
                });
                bundle.rows.push(rows.collect());
            }
        }
        let pairs = table.chunks(2);
        let table = pairs.map(|pair| u128::from(pair[0]) | u128::from(pair[1]) << 64).collect();
        Some(Plan { blocks, bundles, table, unit })
    }
}

/// What it does to the signature that permutations move a block: by its number, then by its place.
fn add_rows(
    table: &mut Vec<u64>,
    blocks: &Blocks,
    kind: usize,
    places: &[usize],
    permutations: &[usize],
    unit: usize,
) {
    let kind = &blocks.kinds[kind];
    let key = |place: usize, code: usize| {
        let shown = kind.shown(code);
        let keys =
            kind.places[place].iter().zip(&shown).map(|(&field, &code)| field_key(field, PieceCode(code)).0);
        keys.fold(0, |sum, key| sum ^ key)
    };
    for code in 0..kind.codes() {
        let end = table.len() + unit / 8 * permutations.len();
        for &place in places {
            for &permutation in permutations {
                let (to, twists) = kind.moves[permutation][place];
                table.push(key(place, code) ^ key(to, kind.twisted(code, twists)));
            }
        }
        table.resize(end, 0);
    }
    // Pairs are read from places that are multiples of 16.
    table.resize(table.len().next_multiple_of(2), 0);
}

impl Plan {
    fn write(&self, compiler: &mut Compiler<'_>, id: FuncId, part: Part, name: &str) -> Compiled<()> {
        let mut context = Context::new();
        context.func.signature = compiler.signature(3);
        let mut frontend = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        let start = builder.create_block();
        builder.append_block_params_for_function_params(start);
        builder.switch_to_block(start);
        let arguments = builder.block_params(start).to_vec();
        let mut writer = Writer { plan: self, builder, run: arguments[0], position: arguments[1] };
        let results = self.blocks.permutations as i64;
        writer.add_to(run::NODES, results);
        match part {
            Part::Played => {
                writer.add_to(run::LEAVES, results);
                writer.results(|_, _| ());
            }
            Part::Counted => writer.add_to(run::LEAVES, results),
            Part::Walk => {
                let signature = writer.builder.import_signature(compiler.signature(3));
                let left = writer.builder.ins().iadd_imm_s(arguments[2], -1);
                let [last, walk] = [run::LAST, run::WALK]
                    .map(|offset| writer.builder.ins().load(I64, TRUSTED, writer.run, offset));
                let is_last = writer.builder.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, left, 1);
                let function = writer.builder.ins().select(is_last, last, walk);
                let run = writer.run;
                writer.results(|builder, child| {
                    builder.ins().call_indirect(signature, function, &[run, child, left]);
                });
            }
        }
        let done = writer.builder.ins().iconst(I64, CONTINUE);
        writer.builder.ins().return_(&[done]);
        writer.builder.seal_all_blocks();
        writer.builder.finalize(compiler.module.target_config());
        compiler.define(id, &mut context, name.to_owned())
    }
}

/// One function.
struct Writer<'plan, 'build> {
    plan: &'plan Plan,
    builder: FunctionBuilder<'build>,
    /// What is counted, and what is called.
    run: Value,
    position: Value,
}

impl<'build> Writer<'_, 'build> {
    fn add_to(&mut self, offset: i32, amount: i64) {
        let sum = self.builder.ins().load(I64, TRUSTED, self.run, offset);
        let sum = self.builder.ins().iadd_imm_s(sum, amount);
        self.builder.ins().store(TRUSTED, sum, self.run, offset);
    }

    /// Writes the positions after all moves, one over the other, and does something with each.
    fn results(&mut self, mut each: impl FnMut(&mut FunctionBuilder<'build>, Value)) {
        let plan = self.plan;
        let vectors: Vec<Value> = (0..plan.blocks.vectors)
            .map(|vector| self.builder.ins().load(I8X16, PLAIN, self.position, place_of(vector)))
            .collect();
        let signature = self.builder.ins().load(I64, TRUSTED, self.position, 0);
        let offsets = self.offsets(&vectors);
        // Not a constant: that would be made again wherever it is used.
        let table = self.builder.ins().load(I64, TRUSTED, self.run, run::TABLE);
        let child =
            self.builder.ins().iadd_imm_s(self.position, crate::blocks::stride(plan.blocks.vectors) as i64);
        for bundle in &plan.bundles {
            let signatures = self.signatures(bundle, signature, offsets, table);
            for (number, &permutation) in bundle.permutations.iter().enumerate() {
                // Two signatures are stored at once; the second one waits behind the first.
                let signature = match number % 2 {
                    0 => signatures[number / 2],
                    _ => self.builder.ins().load(I64, TRUSTED, child, 8),
                };
                self.builder.ins().store(PLAIN, signature, child, 0);
                for to in 0..vectors.len() {
                    let after = self.permuted(permutation, to, &vectors);
                    self.builder.ins().store(PLAIN, after, child, place_of(to));
                }
                each(&mut self.builder, child);
            }
        }
    }

    /// Where the rows for the block of each place are, relative to those of number 0: 16-bit numbers on the stack.
    fn offsets(&mut self, vectors: &[Value]) -> Value {
        let bytes = 2 * VECTOR * vectors.len();
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, 4);
        let slot = self.builder.create_sized_stack_slot(slot);
        let address = self.builder.ins().stack_addr(I64, slot, 0);
        let unit = self.constant(I16X8, (self.plan.unit as u16).to_le_bytes().repeat(8));
        for (index, &vector) in vectors.iter().enumerate() {
            for high in [false, true] {
                let codes = match high {
                    false => self.builder.ins().uwiden_low(vector),
                    true => self.builder.ins().uwiden_high(vector),
                };
                let offsets = self.builder.ins().imul(codes, unit);
                let at = 2 * VECTOR * index + VECTOR * usize::from(high);
                self.builder.ins().store(PLAIN, offsets, address, at as i32);
            }
        }
        address
    }

    /// The signatures after the moves of a bundle, in pairs. Each is used once: only then does Cranelift read the table
    /// and add to the sum in one instruction.
    fn signatures(&mut self, bundle: &Bundle, signature: Value, offsets: Value, table: Value) -> Vec<Value> {
        let plan = self.plan;
        let mut sums: Vec<Value> = bundle
            .permutations
            .chunks(2)
            .map(|pair| match pair {
                [_] => signature,
                _ => self.builder.ins().splat(I64X2, signature),
            })
            .collect();
        for (kind, places) in bundle.places.iter().enumerate() {
            for (index, &place) in places.iter().enumerate() {
                let byte = plan.blocks.kinds[kind].bytes[place];
                let offset = self.builder.ins().uload16(I64, TRUSTED, offsets, 2 * byte as i32);
                for (number, pair) in bundle.permutations.chunks(2).enumerate() {
                    let (scaled, of) = match pair {
                        [_] => (offset, I64),
                        _ => (self.builder.ins().ishl_imm_s(offset, 1), I64X2),
                    };
                    let address = self.builder.ins().iadd(table, scaled);
                    let at = bundle.rows[number][kind] + 8 * pair.len() * index;
                    let keys = self.builder.ins().load(of, CONSTANT, address, at as i32);
                    sums[number] = self.builder.ins().bxor(sums[number], keys);
                }
            }
        }
        sums
    }

    /// A vector after a move.
    fn permuted(&mut self, permutation: usize, to: usize, vectors: &[Value]) -> Value {
        // From where each byte comes, and what its twist adds.
        let mut origins: [usize; VECTOR] = std::array::from_fn(|lane| VECTOR * to + lane);
        let (mut added, mut periods) = ([0_u8; VECTOR], [0_u8; VECTOR]);
        for kind in &self.plan.blocks.kinds {
            for (place, &(target, twists)) in kind.moves[permutation].iter().enumerate() {
                let byte = kind.bytes[target];
                if byte / VECTOR == to {
                    origins[byte % VECTOR] = kind.bytes[place];
                    added[byte % VECTOR] = (twists * kind.unit()) as u8;
                    periods[byte % VECTOR] = kind.codes() as u8;
                }
            }
        }
        let shuffled = self.shuffled(&origins, to, vectors);
        if added == [0; VECTOR] {
            return shuffled;
        }
        let (added, periods) = (self.constant(I8X16, added.to_vec()), self.constant(I8X16, periods.to_vec()));
        let twisted = self.builder.ins().iadd(shuffled, added);
        // Of a number and the number less the period, the smaller one is right.
        let less = self.builder.ins().isub(twisted, periods);
        self.builder.ins().umin(twisted, less)
    }

    /// Bytes from several vectors.
    fn shuffled(&mut self, origins: &[usize; VECTOR], to: usize, vectors: &[Value]) -> Value {
        if origins.iter().enumerate().all(|(lane, &origin)| origin == VECTOR * to + lane) {
            return vectors[to];
        }
        let mut result = None;
        for (source, &vector) in vectors.iter().enumerate() {
            if !origins.iter().any(|origin| origin / VECTOR == source) {
                continue;
            }
            // Lanes that come from elsewhere stay as they are for the time being.
            let lanes: Vec<u8> = (0..VECTOR)
                .map(|lane| match origins[lane] / VECTOR == source {
                    true => (VECTOR * usize::from(result.is_some()) + origins[lane] % VECTOR) as u8,
                    false => lane as u8,
                })
                .collect();
            let mask = self.builder.func.dfg.immediates.push(lanes.into());
            let before = result.unwrap_or(vector);
            result = Some(self.builder.ins().shuffle(before, vector, mask));
        }
        result.unwrap_or(vectors[to])
    }

    fn constant(&mut self, of: Type, bytes: Vec<u8>) -> Value {
        let constant = self.builder.func.dfg.constants.insert(bytes.into());
        self.builder.ins().vconst(of, constant)
    }
}

/// Where a vector lies in an encoded position.
fn place_of(vector: usize) -> i32 {
    (crate::blocks::HEAD + VECTOR * vector) as i32
}

//! One function of machine code: its blocks, its state, and what follows a result.

use std::rc::Rc;

use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I16, I32, I64};
use cranelift_codegen::ir::{
    Block, BlockArg, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};
use game::{Colour, PieceCode, PropertyKind};
use lang::Span;
use rules::ir::{Node, NodeKind, Owner, Variable};

use super::state::{DIFFERENCE, Number, REGISTERS, State};
use super::unique::Site;
use super::walking::{Counters, Walk};
use super::{
    Compiler, FaultKind, FaultSite, Goal, Listing, Pending, TrackedTest, Unsupported, Work, unsupported,
};
use crate::layout::{MOVER, SIGNATURE, slot};

/// What a function returns: go on, enough, or something went wrong.
pub(crate) const CONTINUE: i64 = 0;
pub(crate) const ENOUGH: i64 = 1;
pub(crate) const FAULT: i64 = 2;

/// What follows a result.
#[derive(Clone, Debug)]
pub(crate) enum Next<'program> {
    /// It is a result of the whole.
    Goal(Goal),
    /// A test has its answer: jump there.
    Accept(Block),
    /// A test has its answer: return.
    ReturnEnough,
    /// More statements, then the next thing. The name is the rule's that they belong to.
    Statements(&'program [Node], &'program str, Rc<Next<'program>>),
    /// Remember at this address that there was a result.
    Flag(Captured, Rc<Next<'program>>),
    /// The greatest value so far is at this address.
    Greatest(Captured, &'program rules::ir::Expression, Rc<Next<'program>>),
    /// Only results with the value at this address.
    OnlyGreatest(Captured, &'program rules::ir::Expression, Rc<Next<'program>>),
    /// Nothing: the result was all that was wanted.
    Nothing,
    /// Code and environment that the caller passed in.
    Closure(Captured, Captured),
    /// Code and environment of what follows, because it is too large to be written several times.
    Shared(Captured, Captured, Rc<Next<'program>>),
    /// Leave one level of a rule that calls itself.
    Leave(Rc<Next<'program>>),
}

/// A value of the function that made the continuation; in another function it is loaded from there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Captured {
    Here(Value),
    Environment(usize),
}

/// What follows a call of a rule that calls itself, as a function of its own.
pub(crate) struct Rest<'program> {
    pub(crate) next: Rc<Next<'program>>,
    /// Where the environment holds the depth of the caller.
    pub(crate) depth: usize,
    /// The caller, and where it calls.
    pub(crate) rule: &'program str,
    pub(crate) span: Span,
}

pub(crate) type Compiled<T> = Result<T, Unsupported>;

pub(crate) struct FunctionCompiler<'build, 'compiler, 'program> {
    pub(crate) compiler: &'compiler mut Compiler<'program>,
    pub(crate) builder: FunctionBuilder<'build>,
    pub(crate) mover: Colour,
    /// The context.
    pub(crate) context: Value,
    /// The position.
    pub(crate) entry: Value,
    /// Where fields are read from: the working copy, or the position itself.
    pub(crate) board: Value,
    /// Where to go when a statement fails.
    pub(crate) fail: Block,
    /// The state at the start, as it is in memory.
    pub(crate) loaded: State,
    /// The rules that are being followed.
    pub(crate) rule: &'program str,
    /// Recording what a test depends on.
    pub(crate) tracking: Option<TrackedTest>,
    /// How often this place can be reached in one call, as far as loops around it say.
    pub(crate) times: f64,
    /// Leaving a rule: how many closures deep.
    pub(crate) environment: Option<Value>,
    /// How many copies of this place are written because more is known in each.
    pub(crate) copies: f64,
    /// What results are for, if this is where it begins.
    pub(crate) goal: Option<Goal>,
    /// Whether lines of play are counted.
    pub(crate) counts: bool,
    /// Whether the difference of the signature is wanted in the end.
    pub(crate) sums: bool,
    /// Whether the working copy of the board is used, and the registers in memory.
    pub(crate) uses_board: bool,
    pub(crate) uses_registers: bool,
    /// Whether it begins with the position, not somewhere in the middle.
    pub(crate) from_position: bool,
    /// Values that depend on the position alone and are computed before anything else.
    pub(crate) invariants: Vec<Invariant<'program>>,
    /// Where results come out, as long as it seems that no two of them can be the same.
    pub(crate) sites: Option<Vec<Site>>,
    /// How many tests are around this place in which groups are marked in field sets only.
    pub(crate) floods: usize,
    /// What is counted, where that is done in registers.
    pub(crate) counters: Option<Counters>,
    /// The sum of the feature that is compiled, if it cannot overflow.
    pub(crate) feature_sum: Option<cranelift_frontend::Variable>,
    /// Where moves are played in the position itself.
    pub(crate) walk: Option<Walk>,
}

impl InvariantKind<'_> {
    /// Whether the two are the same piece of the program.
    fn is(self, other: InvariantKind<'_>) -> bool {
        match (self, other) {
            (InvariantKind::Mismatch(one), InvariantKind::Mismatch(other)) => std::ptr::eq(one, other),
            (InvariantKind::Passing(one, first), InvariantKind::Passing(other, second)) => {
                std::ptr::eq(one, other) && first == second
            }
            (InvariantKind::Answer(one), InvariantKind::Answer(other)) => std::ptr::eq(one, other),
            _ => false,
        }
    }
}

/// A value that is computed once for a position.
pub(crate) struct Invariant<'program> {
    pub(crate) what: InvariantKind<'program>,
    pub(crate) place: StackSlot,
}

/// What can be known before any move is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InvariantKind<'program> {
    /// The fields that are not as a `match` wants them.
    Mismatch(&'program [rules::ir::PieceSet]),
    /// The fields from which a test succeeds.
    Passing(&'program Node, Option<u128>),
    /// Whether a test succeeds that asks for field sets only.
    Answer(&'program Node),
}

/// Loops that together can have more rounds than this count them, so that no rule runs for ever.
const UNCOUNTED_ROUNDS_MAX: f64 = 1e8;

pub(crate) const TRUSTED: MemFlagsData = MemFlagsData::trusted();

/// Compiles one piece of pending work.
pub(crate) fn compile<'program>(
    compiler: &mut Compiler<'program>,
    pending: &Pending<'program>,
) -> Compiled<()> {
    let can_differ = match pending.work {
        Work::Entry(goal) => {
            goal.walks() || matches!(goal, Goal::Moves | Goal::Forcing | Goal::Children | Goal::Count)
        }
        _ => false,
    };
    let walks = matches!(pending.work, Work::Entry(goal) if goal.walks());
    // Moves are counted in the one way or the other.
    let is_count = matches!(pending.work, Work::Entry(Goal::Count));
    if walks && !compiler.walks || is_count && compiler.walks {
        return compile_nothing(compiler, pending);
    }
    if can_differ {
        match compile_once(compiler, pending, true) {
            Err(error) if error.reason == CAN_COINCIDE => {}
            result => return result,
        }
    }
    match compile_once(compiler, pending, false) {
        Err(error) if walks && error.reason == CAN_COINCIDE => {
            compiler.walks = false;
            compile_nothing(compiler, pending)
        }
        result => result,
    }
}

/// A function that is never called.
fn compile_nothing<'program>(compiler: &mut Compiler<'program>, pending: &Pending<'program>) -> Compiled<()> {
    let mut context = Context::new();
    context.func.signature = compiler.signature(pending.work.parameters());
    let mut frontend = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
    let start = builder.create_block();
    builder.append_block_params_for_function_params(start);
    builder.switch_to_block(start);
    let status = builder.ins().iconst(I64, crate::runtime::GIVE_UP);
    builder.ins().return_(&[status]);
    builder.seal_all_blocks();
    builder.finalize(compiler.module.target_config());
    compiler.define(pending.id, &mut context, "nothing".to_owned())
}

impl Work<'_> {
    fn parameters(&self) -> usize {
        match self {
            Work::Entry(goal) => goal.parameters(),
            Work::Test { .. } => 2,
            Work::Rest(_) => 3,
            Work::Rule(_) => 4,
            Work::Append(shape) => shape.parameters(),
        }
    }
}

/// Why code that does not compare results has to be written again.
pub(crate) const CAN_COINCIDE: &str = "results can be the same";

/// `hopeful`: without comparing results, in the hope that no two can be the same.
fn compile_once<'program>(
    compiler: &mut Compiler<'program>,
    pending: &Pending<'program>,
    hopeful: bool,
) -> Compiled<()> {
    let mut context = Context::new();
    context.func.signature = compiler.signature(pending.work.parameters());
    let mut frontend = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
    let start = builder.create_block();
    builder.append_block_params_for_function_params(start);
    builder.switch_to_block(start);
    let arguments = builder.block_params(start).to_vec();
    // What has to be prepared is known when the rest is written.
    let (prepare, body) = (builder.create_block(), builder.create_block());
    builder.ins().jump(prepare, &[]);
    builder.switch_to_block(body);
    let fail = builder.create_block();
    let (ctx, entry) = (arguments[0], arguments[1]);
    let from_position = matches!(&pending.work, Work::Entry(_) | Work::Test { tracked: Some(_), .. });
    let tracked = match &pending.work {
        Work::Test { tracked, .. } => tracked.clone(),
        _ => None,
    };
    let times = match &pending.work {
        Work::Entry(_) => 1.0,
        Work::Test { times, .. } => *times,
        // Nobody knows how often a rule calls itself.
        Work::Rule(_) | Work::Rest(_) | Work::Append(_) => f64::INFINITY,
    };
    let mut function = FunctionCompiler {
        mover: pending.mover,
        context: ctx,
        entry,
        board: ctx,
        fail,
        loaded: empty_state(),
        rule: "main",
        tracking: None,
        times,
        environment: matches!(pending.work, Work::Rest(_)).then(|| arguments[2]),
        copies: 1.0,
        counts: matches!(
            pending.work,
            Work::Entry(goal) if goal.walks() || matches!(goal, Goal::Children | Goal::Count)
        ),
        sums: match pending.work {
            Work::Entry(goal) => goal.walks() || matches!(goal, Goal::Children | Goal::Count | Goal::Legal),
            Work::Test { .. } | Work::Append(_) => false,
            Work::Rule(_) | Work::Rest(_) => true,
        },
        goal: match pending.work {
            Work::Entry(goal) => Some(goal),
            _ => None,
        },
        uses_board: false,
        uses_registers: false,
        from_position: matches!(pending.work, Work::Entry(_)),
        invariants: Vec::new(),
        sites: hopeful.then(Vec::new),
        floods: 0,
        counters: None,
        feature_sum: None,
        walk: None,
        builder,
        compiler,
    };
    let work_offset = function.compiler.context.work as i64;
    function.board = match &tracked {
        Some(_) => function.add_known(entry, function.compiler.layout.mailbox as i64),
        None => function.add_known(ctx, work_offset),
    };
    function.tracking = tracked;
    function.loaded =
        if from_position { function.state_of_position() } else { function.state_of_registers() };
    let state = function.loaded.clone();
    if function.plays() || hopeful && function.counts {
        function.count_in_registers();
    }
    if function.plays() {
        function.begin_walk(arguments[2])?;
    }
    let name = function.body(&pending.work, state, &arguments)?;
    function.builder.ins().jump(function.fail, &[]);
    function.builder.switch_to_block(function.fail);
    function.leave_depth(&pending.work);
    if let Work::Test { tracked: Some(tracked), .. } = &pending.work {
        function.store_answer(tracked, false);
    }
    if function.plays() {
        function.end_walk();
    } else {
        function.store_counters();
    }
    let done = function.number(Number::Known(CONTINUE));
    function.builder.ins().return_(&[done]);
    function.builder.switch_to_block(prepare);
    if matches!(pending.work, Work::Entry(_)) {
        function.prepare();
    }
    if function.plays() {
        function.prepare_walk();
    }
    function.compute_invariants()?;
    function.builder.ins().jump(body, &[]);
    if let (Some(sites), Work::Entry(goal)) = (&function.sites, &pending.work) {
        if !super::unique::all_differ(sites) {
            return Err(unsupported(CAN_COINCIDE));
        }
        function.compiler.different.push((*goal, pending.mover));
    }
    function.builder.seal_all_blocks();
    let target = function.compiler.module.target_config();
    function.builder.finalize(target);
    compiler.define(pending.id, &mut context, name)
}

fn empty_state() -> State {
    State {
        finger: Number::Known(-1),
        finger_may_be_nowhere: true,
        codes: 0,
        direction: Number::Known(0),
        hand: Number::Known(0),
        hand_codes: 1,
        outcome: Number::Known(i64::from(i32::MIN)),
        irreversible: Number::Known(0),
        forcing: Number::Known(-1),
        lead: Number::Known(i64::from(game::geometry::NO_FIELD)),
        difference: Number::Known(0),
        scalars: Vec::new(),
        sets: Vec::new(),
        writes: Some(Vec::new()),
        stored: 0,
        turned: None,
        last_step: None,
        field_properties_written: false,
        is_asked: false,
        choices: Vec::new(),
    }
}

impl<'program> Compiler<'program> {
    pub(crate) fn define(&mut self, id: FuncId, context: &mut Context, name: String) -> Compiled<()> {
        let clif = self.listing.as_ref().map(|_| context.func.display().to_string());
        context.set_disasm(self.listing.is_some());
        self.module.define_function(id, context).map_err(|error| match error {
            cranelift_module::ModuleError::Compilation(error) => unsupported(format!("{error:?}")),
            other => unsupported(other),
        })?;
        if let Some(listing) = &mut self.listing {
            let compiled = context.compiled_code().and_then(|code| code.vcode.clone());
            listing.push(Listing {
                name,
                clif: clif.unwrap_or_default(),
                assembly: compiled.unwrap_or_default(),
            });
        }
        Ok(())
    }

    /// The register of a board, player or move property; `None` for a field property.
    pub(crate) fn scalar(&self, mover: Colour, variable: Variable) -> Option<usize> {
        let property = &self.program.info.properties[variable.property];
        let slot = match property.kind {
            PropertyKind::Field => return None,
            PropertyKind::Board | PropertyKind::Move => property.slot,
            PropertyKind::Player => {
                property.slot
                    + match variable.owner {
                        Owner::Own => mover.index(),
                        Owner::Opponents => mover.opponent().index(),
                        Owner::White => 0,
                        Owner::Black => 1,
                    }
            }
        };
        self.layout.scalars.iter().position(|scalar| scalar.slot == slot)
    }

    /// All codes that a field can hold.
    pub(crate) fn all_codes(&self) -> u128 {
        (1_u128 << self.layout.codes) - 1
    }

    /// The codes of a colour's pieces.
    pub(crate) fn codes_of(&self, colour: Colour) -> u128 {
        let info = &self.program.info;
        (1..self.layout.codes as u8)
            .map(PieceCode)
            .filter(|&code| info.colour_of(code) == Some(colour))
            .fold(0, |codes, code| codes | code.bit())
    }
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    fn body(&mut self, work: &Work<'program>, state: State, arguments: &[Value]) -> Compiled<String> {
        let program = self.compiler.program;
        let (nodes, next, name): (&'program [Node], Rc<Next<'program>>, String) = match work {
            Work::Entry(Goal::Evaluation) => {
                self.features(&state)?;
                return Ok(format!("evaluation for {}", self.mover));
            }
            Work::Entry(Goal::Threatened) => {
                let Some(test) = program.closing_test else { return Ok("nothing".to_owned()) };
                let name = format!("is {} threatened?", self.mover);
                (std::slice::from_ref(&program.functions[test].body), Rc::new(Next::ReturnEnough), name)
            }
            Work::Entry(goal) => {
                let body = &program.functions[program.main].body;
                let name = format!("main for {}: {goal:?}", self.mover);
                (std::slice::from_ref(body), Rc::new(Next::Goal(*goal)), name)
            }
            Work::Rule(rule) => {
                let function = &program.functions[*rule];
                self.rule = &function.name;
                self.enter_depth(&function.name, function.body.span);
                let closure = Next::Closure(Captured::Here(arguments[2]), Captured::Here(arguments[3]));
                let next = Rc::new(Next::Leave(Rc::new(closure)));
                (std::slice::from_ref(&function.body), next, format!("{} for {}", function.name, self.mover))
            }
            Work::Rest(rest) => {
                self.rule = rest.rule;
                let depth = self.captured(Captured::Environment(rest.depth));
                self.store_context(depth, slot::DEPTH);
                self.check_stack(rest.rule, rest.span);
                self.burn(rest.span);
                (&[], rest.next.clone(), format!("what follows, for {}", self.mover))
            }
            Work::Append(shape) => {
                self.append_function(*shape, arguments)?;
                return Ok(format!("a move, {shape:?}"));
            }
            Work::Test { node, rule, tracked, .. } => {
                self.rule = rule;
                let tracking = if tracked.is_some() { ", tracked" } else { "" };
                self.test_function(node, state, tracked.as_ref())?;
                return Ok(format!("test for {}{tracking}", self.mover));
            }
        };
        self.sequence(nodes, state, &next)?;
        Ok(name)
    }

    // ---- values

    pub(crate) fn number(&mut self, number: Number) -> Value {
        match number {
            Number::Known(value) => self.builder.ins().iconst(I64, value),
            Number::Computed(value) => value,
        }
    }

    pub(crate) fn add_known(&mut self, value: Value, amount: i64) -> Value {
        if amount == 0 { value } else { self.builder.ins().iadd_imm_s(value, amount) }
    }

    pub(crate) fn pointer<T>(&mut self, table: *const T) -> Value {
        self.builder.ins().iconst(I64, table as i64)
    }

    pub(crate) fn load_context(&mut self, offset: usize) -> Value {
        self.builder.ins().load(I64, TRUSTED, self.context, offset as i32)
    }

    pub(crate) fn store_context(&mut self, value: Value, offset: usize) {
        self.builder.ins().store(TRUSTED, value, self.context, offset as i32);
    }

    /// An element of a table of 16-bit numbers.
    pub(crate) fn element_i16(&mut self, table: *const i16, index: Number) -> Number {
        let base = self.pointer(table);
        let value = match index {
            Number::Known(index) => self.builder.ins().sload16(I64, TRUSTED, base, index as i32 * 2),
            Number::Computed(index) => {
                let offset = self.builder.ins().ishl_imm_s(index, 1);
                let address = self.builder.ins().iadd(base, offset);
                self.builder.ins().sload16(I64, TRUSTED, address, 0)
            }
        };
        Number::Computed(value)
    }

    /// An element of a table of 64-bit numbers.
    pub(crate) fn element_i64<T>(&mut self, table: *const T, index: Number) -> Value {
        let base = self.pointer(table);
        match index {
            Number::Known(index) => self.builder.ins().load(I64, TRUSTED, base, index as i32 * 8),
            Number::Computed(index) => {
                let offset = self.builder.ins().ishl_imm_s(index, 3);
                let address = self.builder.ins().iadd(base, offset);
                self.builder.ins().load(I64, TRUSTED, address, 0)
            }
        }
    }

    // ---- fields in memory

    pub(crate) fn current(&self) -> Block {
        self.builder.current_block().expect("code is always written into a block")
    }

    /// Ends the current block with a jump to a new one and returns that: code can be written elsewhere now, and
    /// go on there later. (Cranelift wants a block to be complete before the next one is begun.)
    pub(crate) fn park(&mut self) -> Block {
        let later = self.builder.create_block();
        self.builder.ins().jump(later, &[]);
        later
    }

    pub(crate) fn stack_slot(&mut self, bytes: usize) -> StackSlot {
        self.compiler.stack_bytes += bytes;
        self.builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, 4))
    }

    pub(crate) fn copy_words(&mut self, from: Value, to: Value, bytes: usize) {
        let mut offset = 0;
        while offset < bytes {
            let kind = if bytes - offset >= 16 { cranelift_codegen::ir::types::I8X16 } else { I64 };
            let flags = MemFlagsData::new().with_notrap();
            let value = self.builder.ins().load(kind, flags, from, offset as i32);
            self.builder.ins().store(flags, value, to, offset as i32);
            offset += kind.bytes() as usize;
        }
    }

    // ---- states

    /// The state when moves of a position are generated.
    fn state_of_position(&mut self) -> State {
        let layout = self.compiler.layout.clone();
        let mut state = empty_state();
        // The mover's north.
        state.direction = Number::Known(self.absolute(0));
        state.difference = Number::Known(match self.compiler.program.info.players {
            2 => game::Signature::BLACK_TO_MOVE.0 as i64,
            _ => 0,
        });
        let mut stored = 0;
        for scalar in &layout.scalars {
            state.scalars.push(if scalar.stored {
                let offset = layout.scalar_base + 4 * stored;
                stored += 1;
                Number::Computed(self.builder.ins().sload32(TRUSTED, self.entry, offset as i32))
            } else {
                Number::Known(self.compiler.program.info.properties[scalar.property].low)
            });
        }
        for word in 0..layout.sets.len() * layout.set_words {
            let offset = layout.set_base + 8 * word;
            state.sets.push(self.builder.ins().load(I64, TRUSTED, self.entry, offset as i32));
        }
        state
    }

    /// The state that another function has stored in the context.
    fn state_of_registers(&mut self) -> State {
        let layout = self.compiler.layout.clone();
        let mut state = State { writes: None, field_properties_written: true, ..empty_state() };
        let base = self.compiler.context.registers;
        for index in 0..REGISTERS {
            let value = self.load_context(base + 8 * index);
            state.set_register(index, Number::Computed(value));
        }
        state.codes = self.compiler.all_codes();
        state.hand_codes = self.compiler.all_codes();
        for index in 0..layout.scalars.len() {
            let value = self.load_context(base + 8 * (REGISTERS + index));
            state.scalars.push(Number::Computed(value));
        }
        for index in 0..layout.sets.len() * layout.set_words {
            let value = self.load_context(base + 8 * (REGISTERS + layout.scalars.len() + index));
            state.sets.push(value);
        }
        state
    }

    /// What an entry does first: a working copy of the board, and registers for other functions, if they are used.
    fn prepare(&mut self) {
        let layout = self.compiler.layout.clone();
        if self.uses_board || self.uses_registers {
            let work = self.add_known(self.context, self.compiler.context.work as i64);
            let from = self.add_known(self.entry, layout.mailbox as i64);
            self.copy_words(from, work, layout.fields.next_multiple_of(8));
            let from = self.add_known(self.entry, layout.field_property_base as i64);
            let to = self.add_known(work, layout.mutable_field_properties() as i64);
            self.copy_words(from, to, layout.set_base - layout.field_property_base);
        }
        if self.uses_registers {
            let state = self.state_of_position();
            for index in 0..state.registers() {
                let value = self.number(state.register(index));
                self.store_context(value, self.compiler.context.registers + 8 * index);
            }
        }
    }

    /// A field set that depends on the position alone. It is computed once, before any move, and lies on the stack:
    /// as a value it would be computed again wherever it is used.
    pub(crate) fn invariant(&mut self, what: InvariantKind<'program>) -> StackSlot {
        if let Some(known) = self.invariants.iter().find(|invariant| invariant.what.is(what)) {
            return known.place;
        }
        let place = self.stack_slot(8 * self.compiler.layout.set_words);
        self.invariants.push(Invariant { what, place });
        place
    }

    fn compute_invariants(&mut self) -> Compiled<()> {
        if self.invariants.is_empty() {
            return Ok(());
        }
        let state = self.state_of_position();
        for index in 0..self.invariants.len() {
            let values = match self.invariants[index].what {
                InvariantKind::Mismatch(sets) => self.mismatch(sets),
                InvariantKind::Passing(node, here) => {
                    let plan = self.plan(node, here).expect("it was planned before");
                    self.fields_that_pass(&plan, &state)
                }
                InvariantKind::Answer(test) => vec![self.answer_of_test(test, &state)?],
            };
            for (word, value) in values.into_iter().enumerate() {
                self.builder.ins().stack_store(I64, value, self.invariants[index].place, 8 * word as i32);
            }
        }
        Ok(())
    }

    /// The same state with all writes in the signature's difference, because they will not be known one by one.
    pub(crate) fn folded(&mut self, state: &State) -> State {
        let mut folded = State { writes: None, stored: 0, last_step: None, ..state.clone() };
        if let (Some(writes), true) = (&state.writes, self.sums) {
            for write in writes {
                folded.difference = self.with_keys(folded.difference, write);
            }
        }
        folded
    }

    /// The same for another function, which does not know either what scalars were in the position.
    pub(crate) fn folded_for_others(&mut self, state: &State) -> State {
        let mut folded = self.folded(state);
        if self.sums {
            folded.difference = self.with_scalar_keys(folded.difference, state);
        }
        folded
    }

    /// Stores what differs from the state in memory, so that another function sees this state.
    pub(crate) fn store_registers(&mut self, state: &State) -> Vec<usize> {
        self.uses_registers = true;
        let base = self.compiler.context.registers;
        let changed: Vec<usize> = (0..state.registers())
            .filter(|&index| state.register(index) != self.loaded.register(index))
            .filter(|&index| index != DIFFERENCE || self.sums)
            .collect();
        for &index in &changed {
            let value = self.number(state.register(index));
            self.store_context(value, base + 8 * index);
        }
        changed
    }

    /// Stores what was there before [`FunctionCompiler::store_registers`].
    pub(crate) fn restore_registers(&mut self, changed: &[usize]) {
        self.uses_registers = true;
        let base = self.compiler.context.registers;
        for &index in changed {
            let value = self.number(self.loaded.register(index));
            self.store_context(value, base + 8 * index);
        }
    }

    /// Joins two states at the end of two blocks; goes on in a new block with what is true of both.
    pub(crate) fn merge(&mut self, first: (Block, State), second: (Block, State)) -> State {
        let join = self.builder.create_block();
        let mut merged = first.1.clone();
        let forgets_writes = first.1.writes != second.1.writes || first.1.stored != second.1.stored;
        let mut differing = Vec::new();
        for index in 0..merged.registers() {
            let equal = first.1.register(index) == second.1.register(index);
            if equal && !(index == DIFFERENCE && forgets_writes && self.sums) {
                continue;
            }
            let parameter = self.builder.append_block_param(join, I64);
            merged.set_register(index, Number::Computed(parameter));
            differing.push(index);
        }
        merged.is_asked &= second.1.is_asked;
        merged.codes |= second.1.codes;
        if first.1.finger != second.1.finger {
            merged.codes = self.compiler.all_codes();
        }
        merged.hand_codes |= second.1.hand_codes;
        merged.finger_may_be_nowhere |= second.1.finger_may_be_nowhere;
        merged.field_properties_written |= second.1.field_properties_written;
        if forgets_writes {
            (merged.writes, merged.stored) = (None, 0);
        }
        if first.1.last_step != second.1.last_step {
            merged.last_step = None;
        }
        for (block, state) in [first, second] {
            self.builder.switch_to_block(block);
            if forgets_writes {
                // Who writes in a branch has saved the memory before it.
                self.show(&state);
            }
            let state = if forgets_writes { self.folded(&state) } else { state };
            let arguments: Vec<BlockArg> =
                differing.iter().map(|&index| self.number(state.register(index)).into()).collect();
            self.builder.ins().jump(join, &arguments);
        }
        self.builder.switch_to_block(join);
        merged
    }

    /// Opens a loop: a block whose parameters are the registers that change in it. Returns the state in the
    /// loop, with a counter of rounds.
    pub(crate) fn open_loop(&mut self, state: &State, changes: &super::analysis::Effects) -> Loop {
        let mut state = state.clone();
        if changes.fields {
            self.settle(&mut state);
            state = self.folded(&state);
        }
        let state = &state;
        let header = self.builder.create_block();
        let mut inside = state.clone();
        let mut indices: Vec<usize> = (0..REGISTERS + state.scalars.len())
            .filter(|&index| changes.registers[index] && (index != DIFFERENCE || self.sums))
            .collect();
        if changes.fields {
            indices.extend(REGISTERS + state.scalars.len()..state.registers());
        }
        inside.field_properties_written |= changes.field_properties;
        let mut arguments: Vec<BlockArg> =
            indices.iter().map(|&index| self.number(state.register(index)).into()).collect();
        arguments.push(self.number(Number::Known(0)).into());
        self.builder.ins().jump(header, &arguments);
        for &index in &indices {
            let parameter = self.builder.append_block_param(header, I64);
            inside.set_register(index, Number::Computed(parameter));
        }
        let round = self.builder.append_block_param(header, I64);
        if indices.contains(&0) || changes.fields {
            inside.codes = self.compiler.all_codes();
            inside.finger_may_be_nowhere |= state.finger_may_be_nowhere;
        }
        if indices.contains(&2) {
            inside.hand_codes = self.compiler.all_codes();
        }
        self.builder.switch_to_block(header);
        inside.last_step = None;
        Loop { header, indices, round, state: inside }
    }

    /// Jumps back with the state at the end of a round.
    pub(crate) fn close_loop(&mut self, open: &Loop, state: &State) {
        let mut arguments: Vec<BlockArg> =
            open.indices.iter().map(|&index| self.number(state.register(index)).into()).collect();
        arguments.push(self.builder.ins().iadd_imm_s(open.round, 1).into());
        self.builder.ins().jump(open.header, &arguments);
    }

    // ---- branches

    /// Goes on in a new block if the condition is true, fails otherwise.
    pub(crate) fn require(&mut self, condition: Value) {
        let on = self.builder.create_block();
        self.builder.ins().brif(condition, on, &[], self.fail, &[]);
        self.builder.switch_to_block(on);
    }

    /// Fails; what is written afterwards is never reached.
    pub(crate) fn give_up(&mut self) {
        self.builder.ins().jump(self.fail, &[]);
        let dead = self.builder.create_block();
        self.builder.switch_to_block(dead);
    }

    pub(crate) fn is(&mut self, condition: IntCC, left: Value, right: i64) -> Value {
        self.builder.ins().icmp_imm_s(condition, left, right)
    }

    /// Stops with a fault if the condition is true.
    pub(crate) fn fault_if(&mut self, condition: Value, kind: FaultKind, span: Span, value: Option<Value>) {
        let site = self.compiler.faults.len() as i64 + 1;
        self.compiler.faults.push(FaultSite { kind, rule: self.rule.to_owned(), span });
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(condition, stop, &[], on, &[]);
        self.builder.set_cold_block(stop);
        self.builder.switch_to_block(stop);
        let site = self.number(Number::Known(site));
        self.store_context(site, slot::FAULT);
        if let Some(value) = value {
            self.store_context(value, slot::FAULT_VALUE);
        }
        let status = self.number(Number::Known(FAULT));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
    }

    /// Goes on only if a called function said so; otherwise returns what it said.
    pub(crate) fn check_status(&mut self, status: Value) {
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(status, stop, &[], on, &[]);
        self.builder.set_cold_block(stop);
        self.builder.switch_to_block(stop);
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
    }

    // ---- recursion

    fn enter_depth(&mut self, name: &str, span: Span) {
        let depth = self.load_context(slot::DEPTH);
        let deeper = self.builder.ins().iadd_imm_s(depth, 1);
        self.store_context(deeper, slot::DEPTH);
        let limit = i64::from(rules::limits::CALL_DEPTH_MAX);
        let too_deep = self.is(IntCC::SignedGreaterThan, deeper, limit);
        self.fault_if(too_deep, FaultKind::EndlessRecursion(name.to_owned()), span, None);
        self.check_stack(name, span);
        self.burn(span);
    }

    fn check_stack(&mut self, name: &str, span: Span) {
        let pointer = self.builder.ins().get_stack_pointer(I64);
        let limit = self.load_context(slot::STACK_LIMIT);
        let too_deep = self.builder.ins().icmp(IntCC::UnsignedLessThan, pointer, limit);
        self.fault_if(too_deep, FaultKind::NoStack(name.to_owned()), span, None);
    }

    fn leave_depth(&mut self, work: &Work<'_>) {
        if matches!(work, Work::Rule(_)) {
            self.add_to_depth(-1);
        }
    }

    pub(crate) fn add_to_depth(&mut self, amount: i64) {
        let depth = self.load_context(slot::DEPTH);
        let depth = self.builder.ins().iadd_imm_s(depth, amount);
        self.store_context(depth, slot::DEPTH);
    }

    /// What follows is in a loop of at most so many rounds. Returns what [`FunctionCompiler::leave_loop`] wants.
    pub(crate) fn enter_loop(&mut self, rounds: f64) -> f64 {
        let inside = self.times * rounds.max(1.0);
        std::mem::replace(&mut self.times, inside)
    }

    pub(crate) fn leave_loop(&mut self, times: f64) {
        self.times = times;
    }

    /// Counts a round of a loop if there can be very many of them.
    pub(crate) fn count_round(&mut self, span: Span) {
        if self.times > UNCOUNTED_ROUNDS_MAX {
            self.burn(span);
        }
    }

    /// Counts a step and stops when there were too many.
    pub(crate) fn burn(&mut self, span: Span) {
        let fuel = self.load_context(slot::FUEL);
        let fuel = self.builder.ins().iadd_imm_s(fuel, -1);
        self.store_context(fuel, slot::FUEL);
        let empty = self.is(IntCC::SignedLessThan, fuel, 0);
        self.fault_if(empty, FaultKind::TooLong, span, None);
    }

    /// A value of the function that made a continuation.
    pub(crate) fn captured(&mut self, captured: Captured) -> Value {
        match captured {
            Captured::Here(value) => value,
            Captured::Environment(index) => {
                let environment = self.environment.expect("a rest has an environment");
                self.builder.ins().load(I64, TRUSTED, environment, index as i32 * 8)
            }
        }
    }

    /// The signature of the position that is being expanded, and who is to move.
    pub(crate) fn entry_signature(&mut self) -> Value {
        self.builder.ins().load(I64, TRUSTED, self.entry, SIGNATURE as i32)
    }

    pub(crate) fn store_child_head(&mut self, child: Value, signature: Value) {
        self.builder.ins().store(TRUSTED, signature, child, SIGNATURE as i32);
        let mover = match self.compiler.program.info.players {
            2 => self.mover.opponent(),
            _ => self.mover,
        };
        let mover = self.number(Number::Known(mover.index() as i64));
        self.builder.ins().store(TRUSTED, mover, child, MOVER as i32);
    }

    pub(crate) fn narrow(&mut self, value: Value, bits: u32) -> Value {
        let kind = match bits {
            8 => I8,
            16 => I16,
            _ => I32,
        };
        self.builder.ins().ireduce(kind, value)
    }

    /// Whether a piece set is among those whose fields are kept.
    pub(crate) fn kept_set(&self, codes: u128) -> Option<usize> {
        self.compiler.layout.set_index(codes)
    }

    pub(crate) fn is_single(&self, node: &Node) -> bool {
        rules::passes::loops::is_single(self.compiler.program, node)
            && !matches!(node.kind, NodeKind::Call(rule) if self.compiler.recursive[rule])
    }
}

/// An open loop.
pub(crate) struct Loop {
    pub(crate) header: Block,
    indices: Vec<usize>,
    pub(crate) round: Value,
    pub(crate) state: State,
}

//! One function of machine code: its blocks, its state, and what follows a result.

use std::rc::Rc;

use cranelift_codegen::Context;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, StackSlot, Value};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};
use game::{Colour, PieceCode, PropertyKind};
use lang::Span;
use rules::ir::{Node, Owner, Variable};

use super::registers::empty_state;
use super::settling::Question;
use super::state::{Number, State};
use super::unique::Site;
use super::walking::{Counters, Walk};
use super::{Compiler, Goal, Listing, Pending, TrackedTest, Unsupported, Work, unsupported};
use crate::layout::slot;

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
    /// Where it is asked what a position is worth.
    pub(crate) question: Option<Question>,
}

impl InvariantKind<'_> {
    /// Whether the two are the same piece of the program.
    pub(crate) fn is(self, other: InvariantKind<'_>) -> bool {
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

pub(crate) const TRUSTED: MemFlagsData = MemFlagsData::trusted();

/// Compiles one piece of pending work.
pub(crate) fn compile<'program>(
    compiler: &mut Compiler<'program>,
    pending: &Pending<'program>,
) -> Compiled<()> {
    let can_differ = match pending.work {
        Work::Entry(goal) => {
            goal.walks()
                || matches!(goal, Goal::Moves | Goal::Forcing | Goal::Sharp | Goal::Children | Goal::Count)
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

impl<'build, 'compiler, 'program> FunctionCompiler<'build, 'compiler, 'program> {
    /// Nothing is written yet.
    fn new(
        compiler: &'compiler mut Compiler<'program>,
        builder: FunctionBuilder<'build>,
        pending: &Pending<'program>,
        arguments: &[Value],
        fail: Block,
        hopeful: bool,
    ) -> FunctionCompiler<'build, 'compiler, 'program> {
        let (context, entry) = (arguments[0], arguments[1]);
        let goal = match pending.work {
            Work::Entry(goal) => Some(goal),
            _ => None,
        };
        let times = match &pending.work {
            Work::Entry(_) => 1.0,
            Work::Test { times, .. } => *times,
            // How often a rule calls itself is not known.
            Work::Rule(_) | Work::Rest(_) | Work::Append(_) => f64::INFINITY,
        };
        let counts = goal.is_some_and(|goal| goal.walks() || matches!(goal, Goal::Children | Goal::Count));
        let sums = match pending.work {
            Work::Entry(goal) => goal.walks() || matches!(goal, Goal::Children | Goal::Count | Goal::Legal),
            Work::Test { .. } | Work::Append(_) => false,
            Work::Rule(_) | Work::Rest(_) => true,
        };
        FunctionCompiler {
            mover: pending.mover,
            context,
            entry,
            board: context,
            fail,
            loaded: empty_state(),
            rule: "main",
            tracking: None,
            times,
            environment: matches!(pending.work, Work::Rest(_)).then(|| arguments[2]),
            copies: 1.0,
            counts,
            sums,
            goal,
            uses_board: false,
            uses_registers: false,
            from_position: goal.is_some(),
            invariants: Vec::new(),
            sites: hopeful.then(Vec::new),
            floods: 0,
            counters: None,
            feature_sum: None,
            walk: None,
            question: None,
            builder,
            compiler,
        }
    }
}

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
    let mut function = FunctionCompiler::new(compiler, builder, pending, &arguments, fail, hopeful);
    let from_position = matches!(&pending.work, Work::Entry(_) | Work::Test { tracked: Some(_), .. });
    let tracked = match &pending.work {
        Work::Test { tracked, .. } => tracked.clone(),
        _ => None,
    };
    let work_offset = function.compiler.context.work as i64;
    function.board = match &tracked {
        Some(_) => function.add_known(function.entry, function.compiler.layout.mailbox as i64),
        None => function.add_known(function.context, work_offset),
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
            Work::Entry(Goal::Watched) => {
                self.watch_closing_test(&state)?;
                return Ok(format!("what does it depend on whether {} is threatened?", self.mover));
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
}

//! From the intermediate form to machine code.
//!
//! A rule is compiled by continuation: code for a statement contains, at every place where it yields a state, the
//! code for what follows. The state lives in SSA values ([`state`]); only fields and field properties are changed in
//! memory, and changed back on the way out. Reading order: [`state`], [`function`], [`statements`], [`emission`];
//! then whatever is made faster: [`passing`], [`walking`], [`turning`], [`flooding`], [`prospects`], [`lines`],
//! [`summing`], [`reaching`].

mod analysis;
mod answering;
mod appending;
mod blocks;
mod blockwise;
mod board;
mod branches;
mod children;
mod choices;
mod choosing;
mod closures;
mod code;
mod counting;
mod emission;
mod expressions;
mod features;
mod filter;
mod fingers;
mod flooding;
mod flow;
mod following;
mod function;
mod harmless;
mod job;
mod lines;
mod memory;
mod passing;
mod permuting;
mod picking;
mod predicates;
mod prospects;
mod reaching;
mod registers;
mod repeating;
mod settling;
mod sight;
mod signatures;
mod sizes;
mod state;
mod statements;
mod summing;
mod tables;
mod turning;
mod unique;
mod values;
mod walking;

use cranelift_codegen::ir::{AbiParam, Signature, types::I64};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};
use game::Colour;
use lang::Span;
use rules::Program;
use rules::passes::{PassSet, ProgramFacts};
use rustc_hash::FxHashMap;

use crate::layout::{ContextLayout, Layout};
use crate::runtime;
pub(crate) use analysis::recursive_rules;
pub(crate) use blocks::{Blocks, VECTOR};
pub(crate) use code::{Code, Half};
pub(crate) use function::{ENOUGH, FAULT};
use job::Job;
pub(crate) use lines::LineLoop;
pub(crate) use settling::SHIFT as SETTLED_SHIFT;
pub(crate) use tables::Tables;

/// Which optimisations to use; all of them unless one is being measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Tests after a move are answered from before it where the move cannot matter.
    pub tracked_tests: bool,
    /// Changes of a move are known when it is compiled, instead of found by comparing boards.
    pub static_changes: bool,
    /// What is known of the finger's field rules out tests and updates.
    pub known_pieces: bool,
    /// Tests behind a `find` are made for all fields at once.
    pub whole_board_tests: bool,
    /// Code of its own for each field where a rare piece can be.
    pub known_fingers: bool,
    /// Passes over the intermediate form that are left out.
    pub skip_passes: PassSet,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            tracked_tests: true,
            static_changes: true,
            known_pieces: true,
            whole_board_tests: true,
            known_fingers: true,
            skip_passes: PassSet::NONE,
        }
    }
}

/// Why a program cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What stands in the way.
    pub reason: String,
}

/// Where compiled code can go wrong, and how.
#[derive(Clone, Debug)]
pub(crate) struct FaultSite {
    pub(crate) kind: FaultKind,
    pub(crate) rule: String,
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    OutOfRange(usize),
    FingerNowhere,
    DivisionByZero,
    NoElement(usize),
    EndlessLoop,
    EndlessRecursion(String),
    /// The stack is at its end; on a larger one there may be no fault.
    NoStack(String),
    TooLong,
}

/// What compiled code does with a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Goal {
    /// Adds it to the move list.
    Moves,
    /// Adds the position after it to the children.
    Children,
    /// Counts it.
    Count,
    /// Counts it as the end of a line of play.
    Counted,
    /// Plays it, counts it, and takes it back.
    Played,
    /// Plays it, counts the lines of play behind it, and takes it back.
    Walk,
    /// Plays it if its number is wanted, and stops.
    Pick,
    /// Plays it and asks what it is worth; stops as soon as one is worth enough.
    Settle,
    /// Adds it to the move list if it is forcing.
    Forcing,
    /// Adds it to the move list if it is forcing, or changes one of the wanted fields.
    Sharp,
    /// Stops at the first one that changes something.
    Any,
    /// Stops at the one with the signature that is wanted, with it in the move list.
    Legal,
    /// Stops at the first one that takes an opponent's piece from the field that is wanted, with it in the move list.
    Taking,
    /// Stops if what must not succeed after a move succeeds without one.
    Threatened,
    /// Answers the same, and remembers which fields it has asked about.
    Watched,
    /// Adds the weights of all features.
    Evaluation,
    /// Adds the weight of one feature.
    Feature(usize),
}

/// A test that is compiled as a function of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestFunction {
    /// By how often they may be called, in powers of sixteen.
    pub(crate) plain: Vec<(u32, FuncId)>,
    pub(crate) tracked: Option<(FuncId, TrackedTest)>,
}

/// A test whose dependencies are recorded.
#[derive(Clone, Debug)]
pub(crate) struct TrackedTest {
    /// Where its record lies among the tests' words: valid, answer, then one field set for each class.
    pub(crate) word: usize,
    /// Piece sets that it asks single fields for.
    pub(crate) classes: Vec<u128>,
    /// Piece sets that it searches the whole board for.
    pub(crate) searched: Vec<u128>,
}

/// A piece of code that waits to be compiled.
pub(crate) struct Pending<'program> {
    pub(crate) id: FuncId,
    pub(crate) mover: Colour,
    pub(crate) work: Work<'program>,
}

pub(crate) enum Work<'program> {
    /// All results of `main`, or all successes of a feature.
    Entry(Goal),
    /// A rule that calls itself; what follows is a closure.
    Rule(usize),
    /// Adds a move of some shape to the list.
    Append(appending::Shape),
    /// What follows a call of such a rule.
    Rest(function::Rest<'program>),
    /// A test; tracked or not.
    Test {
        node: &'program rules::ir::Node,
        /// The rule that it belongs to.
        rule: &'program str,
        tracked: Option<TrackedTest>,
        /// How often it may be called.
        times: f64,
    },
}

pub(crate) struct Compiler<'program> {
    pub(crate) program: &'program Program,
    pub(crate) facts: &'program ProgramFacts,
    pub(crate) layout: Layout,
    pub(crate) context: ContextLayout,
    pub(crate) tables: Tables,
    pub(crate) options: Options,
    pub(crate) module: JITModule,
    pub(crate) helpers: runtime::HelperIds,
    pub(crate) recursive: Vec<bool>,
    pub(crate) faults: Vec<FaultSite>,
    pub(crate) pending: Vec<Pending<'program>>,
    pub(crate) rules: FxHashMap<(usize, Colour), FuncId>,
    pub(crate) appends: FxHashMap<appending::Shape, FuncId>,
    pub(crate) tests: FxHashMap<(*const rules::ir::Node, Colour), TestFunction>,
    pub(crate) test_words: usize,
    pub(crate) functions: usize,
    /// Whether lines of play can be counted without leaving the code, as far as we know.
    pub(crate) walks: bool,
    /// Whether positions have many results.
    pub(crate) many_results: bool,
    /// Whether a move is picked by its number without looking at those before it, at some place at least.
    pub(crate) picks: bool,
    /// Goals and movers whose results cannot be the same.
    pub(crate) different: Vec<(Goal, Colour)>,
    /// Whether some code calls helpers.
    pub(crate) calls_helpers: bool,
    /// The test that tells who is threatened, where its questions are recorded.
    pub(crate) watched: Option<TrackedTest>,
    /// What all functions together keep on the stack.
    pub(crate) stack_bytes: usize,
    /// The text of every function before Cranelift's optimisations and after, if wanted.
    pub(crate) listing: Option<Vec<Listing>>,
}

/// A function as people can read it.
#[derive(Clone, Debug)]
pub struct Listing {
    /// What it computes.
    pub name: String,
    /// Cranelift's intermediate form.
    pub clif: String,
    /// Machine code.
    pub assembly: String,
}

/// Words reserved for records of tracked tests.
pub(crate) const TEST_WORDS_MAX: usize = 4096;

/// So many results of a position are few.
pub(crate) const FEW_RESULTS: usize = 150;

/// What code is for. Only what is used is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// Moves and features.
    Playing,
    /// Lines of play, and the moves of one position.
    Counting,
    /// One move by its number.
    Picking,
    /// Children.
    Expanding,
    /// Some moves without the others.
    Choosing,
    /// What the last moves of a game are worth.
    Settling,
}

/// Compiles a program for a purpose, for both movers at the same time. `results`: how many results a position has,
/// roughly.
pub(crate) fn compile(
    program: &Program,
    options: Options,
    listing: bool,
    purpose: Purpose,
    results: usize,
) -> Result<Code, Unsupported> {
    analysis::check_supported(program)?;
    let layout = Layout::new(program);
    let context = ContextLayout::new(&layout, program.features.len(), TEST_WORDS_MAX);
    if !layout.covers_sights(program) {
        return Err(Unsupported { reason: "too many different piece sets are looked for".to_owned() });
    }
    let many_results = results > FEW_RESULTS;
    let facts = ProgramFacts::of(program);
    let job = Job {
        program,
        facts: &facts,
        layout: &layout,
        context: &context,
        options,
        listing,
        purpose,
        many_results,
    };
    let mut halves = job.both(true)?;
    if halves.iter().any(|half| half.walks != halves[0].walks) {
        // Moves are counted in the one way or the other, for both.
        halves = job.both(false)?;
    }
    Ok(Code::new(halves, layout, context, many_results))
}

impl Goal {
    /// Context and position; where lines of play are counted, how deep to go too, or which move to pick.
    fn parameters(self) -> usize {
        if self.walks() { 3 } else { 2 }
    }

    /// Whether lines of play are counted without leaving the code.
    fn walks(self) -> bool {
        matches!(self, Goal::Counted | Goal::Pick | Goal::Played | Goal::Walk | Goal::Settle)
    }
}

pub(crate) fn unsupported(error: impl std::fmt::Display) -> Unsupported {
    Unsupported { reason: error.to_string() }
}

impl Compiler<'_> {
    /// A function of so many words that returns a status word. It is called as this machine's C is, as are the helpers:
    /// `extern "C"` names the same convention on the side of Rust.
    pub(crate) fn signature(&self, parameters: usize) -> Signature {
        let mut signature = self.module.make_signature();
        signature.params = vec![AbiParam::new(I64); parameters];
        signature.returns = vec![AbiParam::new(I64)];
        signature
    }

    pub(crate) fn declare(&mut self, name: &str, parameters: usize) -> Result<FuncId, Unsupported> {
        self.functions += 1;
        let name = format!("{name} #{}", self.functions);
        let signature = self.signature(parameters);
        self.module.declare_function(&name, Linkage::Local, &signature).map_err(unsupported)
    }
}

//! One run of the compiler: for white and for black, on two threads where that is worth while.

use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::FuncId;
use game::Colour;
use rules::Program;
use rules::passes::ProgramFacts;
use rustc_hash::FxHashMap;

use super::{
    Compiler, Goal, Half, Options, Pending, Purpose, Tables, Unsupported, Work, blockwise, function,
    recursive_rules, unsupported,
};
use crate::blocks::BlockCode;
use crate::layout::{ContextLayout, Layout};
use crate::runtime;

/// Programs with fewer statements are compiled on one thread.
const THREAD_SIZE_LEAST: usize = 60;

/// Stack of the other thread; where it does not suffice, more is made.
const THREAD_STACK: usize = 4 * 1024 * 1024;

/// Addresses that are set apart for the code of one mover. Its functions call each other over 2 GiB at most, and parts
/// made one by one may lie further apart where much memory is in use. Memory is used as it is needed.
const CODE_ADDRESSES: usize = 256 * 1024 * 1024;

/// What to compile.
#[derive(Clone, Copy)]
pub(super) struct Job<'job> {
    pub(super) program: &'job Program,
    pub(super) facts: &'job ProgramFacts,
    pub(super) layout: &'job Layout,
    pub(super) context: &'job ContextLayout,
    pub(super) options: Options,
    pub(super) listing: bool,
    pub(super) purpose: Purpose,
    pub(super) many_results: bool,
}

impl Job<'_> {
    pub(super) fn both(self, may_walk: bool) -> Result<Vec<Half>, Unsupported> {
        if self.program.info.players != 2 {
            return Ok(vec![self.half(Colour::White, may_walk)?]);
        }
        // Small programs are compiled before another thread has begun.
        let mut size = 0;
        let bodies = self.program.functions.iter().map(|function| &function.body);
        for body in bodies.chain(self.program.features.iter().map(|feature| &feature.body)) {
            rules::walk::for_each_node(body, &mut |_| size += 1);
        }
        if size < THREAD_SIZE_LEAST {
            return Colour::BOTH.into_iter().map(|mover| self.half(mover, may_walk)).collect();
        }
        std::thread::scope(|scope| {
            let black = std::thread::Builder::new()
                .stack_size(THREAD_STACK)
                .spawn_scoped(scope, || self.half(Colour::Black, may_walk));
            let white = self.half(Colour::White, may_walk);
            let black = match black {
                Ok(black) => match black.join() {
                    Ok(black) => black,
                    Err(panic) => std::panic::resume_unwind(panic),
                },
                // No more threads: one after the other.
                Err(_) => self.half(Colour::Black, may_walk),
            };
            Ok(vec![white?, black?])
        })
    }

    /// Compiles the code for one mover.
    fn half(self, mover: Colour, may_walk: bool) -> Result<Half, Unsupported> {
        let mut module = JITModule::new(jit_builder()?);
        let helpers = runtime::declare(&mut module)?;
        let mut compiler = Compiler {
            tables: Tables::new(self.program, self.layout),
            recursive: recursive_rules(self.program),
            program: self.program,
            facts: self.facts,
            layout: self.layout.clone(),
            context: self.context.clone(),
            options: self.options,
            module,
            helpers,
            faults: Vec::new(),
            pending: Vec::new(),
            rules: FxHashMap::default(),
            appends: FxHashMap::default(),
            tests: FxHashMap::default(),
            test_words: 0,
            functions: 0,
            walks: may_walk,
            many_results: self.many_results,
            picks: false,
            different: Vec::new(),
            calls_helpers: false,
            watched: None,
            stack_bytes: 0,
            listing: self.listing.then(Vec::new),
        };
        let goals: &[Goal] = match self.purpose {
            Purpose::Playing => &[Goal::Moves, Goal::Evaluation],
            Purpose::Counting => &[Goal::Count, Goal::Counted, Goal::Played, Goal::Walk],
            Purpose::Picking => &[Goal::Counted, Goal::Pick],
            Purpose::Settling => &[Goal::Settle],
            Purpose::Expanding => &[Goal::Children],
            Purpose::Choosing => {
                const GOALS: &[Goal] = &[
                    Goal::Forcing,
                    Goal::Sharp,
                    Goal::Any,
                    Goal::Legal,
                    Goal::Taking,
                    Goal::Threatened,
                    Goal::Watched,
                ];
                GOALS
            }
        };
        let mut entries = Vec::new();
        for &goal in goals {
            let id = compiler.declare(&format!("{goal:?} {mover}"), goal.parameters())?;
            compiler.pending.push(Pending { id, mover, work: Work::Entry(goal) });
            entries.push((goal, id));
        }
        while let Some(pending) = compiler.pending.pop() {
            function::compile(&mut compiler, &pending)?;
        }
        if self.purpose == Purpose::Settling && compiler.calls_helpers {
            // Helpers need a call with lists, and there is none.
            compiler.walks = false;
        }
        let blockwise = match self.purpose {
            Purpose::Counting => blockwise::compile(&mut compiler)?,
            _ => None,
        };
        compiler.finish(&entries, mover, blockwise)
    }
}

fn jit_builder() -> Result<JITBuilder, Unsupported> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // Windows adds to a stack page by page: a function with a large frame has to touch them in their order.
        ("enable_probestack", if cfg!(windows) { "true" } else { "false" }),
        ("probestack_strategy", "inline"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
    ] {
        flags.set(name, value).map_err(unsupported)?;
    }
    let isa = cranelift_native::builder().map_err(unsupported)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(unsupported)?;
    let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
    // Windows would take all of it from the memory that there is.
    if !cfg!(windows) {
        let arena = ArenaMemoryProvider::new_with_size(CODE_ADDRESSES).map_err(unsupported)?;
        builder.memory_provider(Box::new(arena));
    }
    runtime::register(&mut builder);
    Ok(builder)
}

impl Compiler<'_> {
    fn finish(
        mut self,
        entries: &[(Goal, FuncId)],
        mover: Colour,
        blockwise: Option<blockwise::Blockwise>,
    ) -> Result<Half, Unsupported> {
        self.module.finalize_definitions().map_err(unsupported)?;
        let entries =
            entries.iter().map(|&(goal, id)| (goal, self.module.get_finalized_function(id))).collect();
        let tracked = self.tests.values().filter_map(|test| test.tracked.as_ref());
        let test_records: Vec<usize> = tracked.map(|(_, tracked)| tracked.word).collect();
        let list = &mut self.tables.records[mover.index()];
        list[0] = test_records.len() as i64;
        for (place, &word) in list[1..].iter_mut().zip(&test_records) {
            *place = (self.context.tests + 8 * word) as i64;
        }
        let opponents = self.codes_of(mover.opponent());
        let function = |id: FuncId| self.module.get_finalized_function(id);
        let blocks = blockwise.map(|own| BlockCode {
            encoding: own.encoding,
            table: own.table,
            played: function(own.played),
            counted: function(own.counted),
            walk: function(own.walk),
        });
        Ok(Half {
            entries,
            blocks,
            walks: self.walks,
            // Where tests are functions, going through the moves twice takes longer than making a list of them.
            picks: self.picks || self.tests.is_empty(),
            different: self.different.iter().map(|&(goal, _)| goal).collect(),
            test_records,
            watched: self.watched,
            module: Some(self.module),
            opponents,
            tables: self.tables,
            is_recursive: !self.rules.is_empty(),
            stack_bytes: self.stack_bytes,
            faults: self.faults,
            listing: self.listing.unwrap_or_default(),
        })
    }
}

//! `multigame compile`: what the compiler makes of rules, for curious people.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use jit::{Compiled, Options};
use lang::diagnostic::did_you_mean;
use rules::Program;
use rules::passes::{PIPELINE, PassSet, UnknownPass};
use serde_json::json;

use crate::Exit;
use crate::cli::{Compile, Emit, FAINT, Global, STRONG};
use crate::generator::find_program;
use crate::numbers::{counted, grouped};

/// Room for the positions of any game; none is made here.
const WORDS: usize = 1024;

pub(super) fn run(options: &Compile, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let names: Vec<&str> = options.without.iter().map(String::as_str).collect();
    let skip_passes = PassSet::of(&names).map_err(|error| no_such_pass(&error))?;
    let start = Instant::now();
    let program = find_program(&options.game)?;
    let reading = start.elapsed();
    let work = Work { options, global, program, jit: Options { skip_passes, ..Options::default() } };
    match options.emit {
        None => work.sizes(reading, out),
        Some(Emit::Ir) => work.rules(out),
        Some(Emit::Clif | Emit::Asm) => work.functions(out),
    }?;
    Ok(Exit::Success)
}

fn no_such_pass(error: &UnknownPass) -> anyhow::Error {
    let name = &error.name;
    if PIPELINE.iter().any(|pass| pass.name == name) {
        return anyhow!("the pass `{name}` cannot be left out: machine code needs it");
    }
    let known = || PIPELINE.iter().filter(|pass| !pass.required).map(|pass| pass.name);
    let hint = did_you_mean(name, known())
        .unwrap_or_else(|| format!("there are {}", known().collect::<Vec<_>>().join(", ")));
    anyhow!("there is no pass `{name}`: {hint}")
}

struct Work<'run> {
    options: &'run Compile,
    global: &'run Global,
    program: Program,
    jit: Options,
}

impl Work<'_> {
    fn is_wanted(&self, name: &str) -> bool {
        self.options.only.as_ref().is_none_or(|text| name.contains(text.as_str()))
    }

    fn compiled(&self, listing: bool) -> Result<Compiled<WORDS>> {
        let compiled = match listing {
            true => Compiled::with_listing(&self.program, self.jit),
            false => Compiled::new(&self.program, self.jit),
        };
        compiled.map_err(|error| anyhow!("`{}` is not compiled: {}", self.options.game, error.reason))
    }

    /// How large it all is, and how long it takes.
    fn sizes(&self, reading: Duration, out: &mut dyn Write) -> Result<()> {
        let start = Instant::now();
        let mut after = self.program.clone();
        rules::passes::run(&mut after, |pass| self.jit.skip_passes.contains(pass));
        let passes = start.elapsed();
        let start = Instant::now();
        self.compiled(false)?;
        // Compiling runs the passes too.
        let code = start.elapsed().saturating_sub(passes);
        let functions = self.compiled(true)?.listing().len();
        let statements = [statements(&self.program), statements(&after)];
        let rules = [self.program.functions.len(), after.functions.len()];
        let [reading, passes, code] = [reading, passes, code].map(|time| time.as_secs_f64() * 1e3);
        let together = reading + passes + code;
        if self.global.json {
            let row = json!({
                "game": self.program.info.name,
                "rules": rules[0],
                "rules_after_passes": rules[1],
                "statements": statements[0],
                "statements_after_passes": statements[1],
                "functions": functions,
                "reading_ms": reading,
                "passes_ms": passes,
                "machine_code_ms": code,
                "together_ms": together,
            });
            writeln!(out, "{row}")?;
            return Ok(());
        }
        let form = |index: usize| {
            let rules = counted(rules[index] as u64, "rule", "rules");
            format!("{rules}, {}", counted(statements[index] as u64, "statement", "statements"))
        };
        writeln!(out, "{}{}{}", STRONG.render(), self.program.info.name, STRONG.render_reset())?;
        writeln!(out, "  reading       {reading:8.2} ms  {}", form(0))?;
        writeln!(out, "  passes        {passes:8.2} ms  {}", form(1))?;
        let functions = counted(functions as u64, "function", "functions");
        writeln!(out, "  machine code  {code:8.2} ms  {functions}")?;
        writeln!(out, "  together      {together:8.2} ms")?;
        Ok(())
    }

    /// The rules before the passes, then what each pass makes of those that it changes.
    fn rules(&self, out: &mut dyn Write) -> Result<()> {
        let mut program = self.program.clone();
        let mut printed = program.printed_rules();
        let steps = !self.options.only_final;
        if steps {
            self.stage("before the passes", None, &printed, out)?;
        }
        for pass in PIPELINE.iter().filter(|pass| !self.jit.skip_passes.contains(pass.name)) {
            (pass.run)(&mut program);
            let after = program.printed_rules();
            let changed: Vec<_> = after.iter().filter(|rule| !printed.contains(rule)).cloned().collect();
            if steps {
                self.stage(
                    &format!("after {}: {}", pass.name, pass.purpose),
                    Some(pass.name),
                    &changed,
                    out,
                )?;
            }
            printed = after;
        }
        if !steps {
            self.stage("after all passes", Some("final"), &printed, out)?;
        }
        Ok(())
    }

    /// Some rules under a heading; nothing if there are none.
    fn stage(
        &self,
        heading: &str,
        pass: Option<&str>,
        rules: &[(String, String)],
        out: &mut dyn Write,
    ) -> Result<()> {
        let wanted: Vec<_> = rules.iter().filter(|(name, _)| self.is_wanted(name)).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        if self.global.json {
            for (name, text) in wanted {
                writeln!(out, "{}", json!({ "after": pass, "rule": name, "text": text }))?;
            }
            return Ok(());
        }
        writeln!(out, "{}# {heading}{}\n", FAINT.render(), FAINT.render_reset())?;
        for (_, text) in wanted {
            writeln!(out, "{text}")?;
        }
        Ok(())
    }

    /// Functions in Cranelift's form or as machine code.
    fn functions(&self, out: &mut dyn Write) -> Result<()> {
        let compiled = self.compiled(true)?;
        let mut shown = 0;
        for (index, function) in compiled.listing().iter().enumerate() {
            if !self.is_wanted(&function.name) {
                continue;
            }
            shown += 1;
            let text =
                if self.options.emit == Some(Emit::Clif) { &function.clif } else { &function.assembly };
            if self.global.json {
                writeln!(out, "{}", json!({ "function": function.name, "number": index, "text": text }))?;
            } else {
                let (faint, reset) = (FAINT.render(), FAINT.render_reset());
                writeln!(out, "{faint}; {}{reset}\n{}\n", function.name, text.trim_end())?;
            }
        }
        if shown == 0 && !self.global.json {
            let functions = grouped(compiled.listing().len() as u64);
            writeln!(out, "; none of the {functions} functions has such a name")?;
        }
        Ok(())
    }
}

/// Statements of all rules and features.
fn statements(program: &Program) -> usize {
    let bodies = program.functions.iter().map(|function| &function.body);
    let mut count = 0;
    for body in bodies.chain(program.features.iter().map(|feature| &feature.body)) {
        rules::walk::for_each_node(body, &mut |_| count += 1);
    }
    count
}

//! Rules whose moves are constant permutations of fields: turns of a cube, flips of a stack.
//!
//! They are read off the rules: `cycle`, one after the other, repeated, one or the other. Whatever only says how the
//! game ends does not matter where a puzzle's lines of play are counted.

use game::Colour;
use rules::ir::{Node, NodeKind};
use rules::passes::loops::is_single;

use super::Compiler;
use super::analysis::Effects;
use crate::layout::register;

/// Where what stands on each field goes.
pub(crate) type Permutation = Vec<usize>;

/// More results than this are left to the code that serves all rules.
const RESULTS_MAX: usize = 128;

/// So many statements are followed, rounds and called rules included.
const STATEMENTS_MAX: usize = 4096;

/// The results of `main`, all different, if it is a puzzle and they are constant permutations.
pub(crate) fn permutations(compiler: &Compiler<'_>) -> Option<Vec<Permutation>> {
    let program = compiler.program;
    if program.info.players != 1 {
        return None;
    }
    let nothing: Vec<usize> = (0..compiler.layout.fields).collect();
    let mut reader = Reader { compiler, left: STATEMENTS_MAX };
    let results = reader.after(&program.functions[program.main].body, vec![nothing])?;
    let mut permutations = Vec::new();
    for origins in results {
        let permutation = inverse(&origins)?;
        if permutations.contains(&permutation) {
            return None;
        }
        permutations.push(permutation);
    }
    // A single move that changes nothing could be a verdict on the position.
    (permutations.len() > 1).then_some(permutations)
}

/// For each field, from where its contents come.
type Origins = Vec<usize>;

struct Reader<'reader, 'program> {
    compiler: &'reader Compiler<'program>,
    /// How many statements may still be followed.
    left: usize,
}

impl Reader<'_, '_> {
    /// What a statement makes of some states.
    fn after(&mut self, node: &Node, states: Vec<Origins>) -> Option<Vec<Origins>> {
        self.left = self.left.checked_sub(1)?;
        let results = match &node.kind {
            NodeKind::Sequence(nodes) => {
                nodes.iter().try_fold(states, |states, node| self.after(node, states))?
            }
            NodeKind::Either(choices) => {
                let mut all = Vec::new();
                for choice in choices {
                    all.extend(self.after(choice, states.clone())?);
                }
                all
            }
            NodeKind::Repeat { least, most: Some(most), body } if least <= most => {
                let (mut now, mut all) = (states, Vec::new());
                for round in 0..=*most {
                    if round >= *least {
                        all.extend(now.iter().cloned());
                    }
                    if all.len() > RESULTS_MAX {
                        return None;
                    }
                    if round < *most {
                        now = self.after(body, now)?;
                    }
                }
                all
            }
            NodeKind::Cycle(fields) => states.iter().map(|state| cycled(state, fields)).collect(),
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                self.after(&self.compiler.program.functions[*rule].body, states)?
            }
            NodeKind::Irreversible | NodeKind::Forcing(_) => states,
            _ if only_ends(self.compiler, node) => states,
            _ => return None,
        };
        (results.len() <= RESULTS_MAX).then_some(results)
    }
}

fn cycled(state: &[usize], fields: &[u16]) -> Origins {
    let mut cycled = state.to_vec();
    for (index, &field) in fields.iter().enumerate() {
        cycled[usize::from(fields[(index + 1) % fields.len()])] = state[usize::from(field)];
    }
    cycled
}

/// `None` if something was lost: a `cycle` may name a field twice.
fn inverse(origins: &[usize]) -> Option<Permutation> {
    let mut inverse = vec![usize::MAX; origins.len()];
    origins.iter().enumerate().for_each(|(field, &from)| inverse[from] = field);
    (!inverse.contains(&usize::MAX)).then_some(inverse)
}

/// Whether a statement has one result that may be marked as finished and is otherwise the same state.
fn only_ends(compiler: &Compiler<'_>, node: &Node) -> bool {
    let effects = Effects::of(compiler, Colour::White, &[node]);
    let others =
        effects.registers.iter().enumerate().any(|(index, &changes)| changes && index != register::OUTCOME);
    let facts = compiler.facts;
    !others
        && !effects.memory()
        && is_single(compiler.program, node)
        && facts.always_succeeds(node)
        && facts.cannot_fault(node)
}

//! Rules that call themselves again with nothing changed: they can only go on for ever.

use std::collections::{HashMap, VecDeque};

use super::constant;
use super::endings::Endings;
use super::names::Names;
use super::report::Report;
use crate::diagnostic::{Diagnostic, quoted};
use crate::source::Span;
use crate::syntax::{ExpressionKind, Statement, StatementKind};
use crate::walk;

/// A call that is reached with board, finger, hand and properties as they were when the rule began.
#[derive(Clone, Copy)]
struct Edge {
    to: usize,
    span: Span,
}

/// Of a longer circle, so many rules are named.
const SHOWN_MAX: usize = 8;

/// Reports each circle of such calls; returns whether there was one.
pub(super) fn check(names: &Names<'_>, endings: &Endings<'_, '_>, report: &mut Report) -> bool {
    let graph = CycleFinder::new(names, endings).graph();
    let mut found = false;
    for component in components(&graph) {
        let Some(circle) = circle(&graph, &component) else { continue };
        found = true;
        report.error(|| {
            let name = |index: usize| quoted(&names.tree.functions[index].name.value);
            let mut rules: Vec<String> = circle.iter().take(SHOWN_MAX).map(|&(rule, _)| name(rule)).collect();
            if circle.len() > SHOWN_MAX {
                rules.push("…".to_owned());
            }
            let message = match rules.len() {
                1 => format!("rule {} calls itself with nothing changed: it never ends", rules[0]),
                _ => format!(
                    "these rules call each other with nothing changed and never end: {} → {}",
                    rules.join(" → "),
                    rules[0]
                ),
            };
            Diagnostic::error("E031", circle[0].1, message)
                .hint("do something before the call, such as `step`, or call it in another place")
        });
    }
    found
}

/// Warns of rules that yield nothing because each of their ways ends in a call of themselves; returns whether there
/// was one.
pub(super) fn check_ends(names: &Names<'_>, endings: &Endings<'_, '_>, report: &mut Report) -> bool {
    let functions = &names.tree.functions;
    let fruitless = |rule: usize| !endings.of_rule(rule).yields;
    if !(0..functions.len()).any(fruitless) {
        return false;
    }
    let edges = |body: &Statement| {
        let mut edges = Vec::new();
        walk::statements(body, &mut |statement| {
            if let StatementKind::Call(name) = &statement.kind
                && let Some(to) = names.function(&name.value)
            {
                edges.push(Edge { to, span: name.span });
            }
        });
        edges
    };
    let graph: Vec<Vec<Edge>> = functions.iter().map(|function| edges(&function.body)).collect();
    let mut found = false;
    for component in components(&graph) {
        if !component.iter().all(|&rule| fruitless(rule)) {
            continue;
        }
        let Some(circle) = circle(&graph, &component) else { continue };
        // Another statement may be what lets nothing through.
        let hopeful = endings.hoping(&component);
        if !component.iter().all(|&rule| hopeful.visit(&functions[rule].body, &mut |_, _| {}).yields) {
            continue;
        }
        found = true;
        report.warning(|| always_calls(names, &circle));
    }
    found
}

fn always_calls(names: &Names<'_>, circle: &[(usize, Span)]) -> Diagnostic {
    let name = |index: usize| quoted(&names.tree.functions[index].name.value);
    let (last, span) = circle[0];
    let called = &names.tree.functions[circle.get(1).map_or(last, |next| next.0)].name.value;
    let message = match circle {
        [(rule, _)] => format!("{} always calls itself: it never comes to an end", name(*rule)),
        [(rule, _), (other, _)] => {
            format!("{} and {} always call each other: neither comes to an end", name(*rule), name(*other))
        }
        _ => {
            let rules: Vec<String> = circle.iter().take(SHOWN_MAX).map(|&(rule, _)| name(rule)).collect();
            format!("these rules always call each other and come to no end: {}", rules.join(" → "))
        }
    };
    let hint = match called.len() {
        0..40 => format!("write `optionally {called}` where it may stop, `try {called}` where it must go on"),
        _ => "write `optionally` before the call where it may stop, `try` where it must go on".to_owned(),
    };
    Diagnostic::warning("W029", span, message).hint(hint)
}

struct CycleFinder<'names, 'tree> {
    names: &'names Names<'tree>,
    endings: &'names Endings<'names, 'tree>,
    /// Rules that may let a state through unchanged.
    passing: Vec<bool>,
    /// Whether some expression asks for the direction: turning is then a change like others.
    direction_counts: bool,
}

/// Rules that call each other may need several looks; what more would show is not worth it.
const ROUNDS_MAX: usize = 20;

impl<'names, 'tree> CycleFinder<'names, 'tree> {
    fn new(names: &'names Names<'tree>, endings: &'names Endings<'names, 'tree>) -> Self {
        let mut direction_counts = false;
        walk::all_expressions(names.tree, &mut |expression| {
            if let ExpressionKind::Name(_, name) = &expression.kind {
                direction_counts |= name.value == "direction";
            }
        });
        CycleFinder { names, endings, passing: vec![false; names.tree.functions.len()], direction_counts }
    }

    fn graph(mut self) -> Vec<Vec<Edge>> {
        let functions = &self.names.tree.functions;
        for _ in 0..ROUNDS_MAX {
            let mut learned = false;
            // Called rules mostly stand below their callers.
            for (index, function) in functions.iter().enumerate().rev() {
                let passes = self.passes(&function.body, &mut Vec::new());
                learned |= passes != self.passing[index];
                self.passing[index] = passes;
            }
            if !learned {
                break;
            }
        }
        let edges = |body| {
            let mut edges = Vec::new();
            self.passes(body, &mut edges);
            edges
        };
        functions.iter().map(|function| edges(&function.body)).collect()
    }

    /// Whether a state may come through unchanged; notes the calls that it reaches on its way.
    fn passes(&self, statement: &'tree Statement, edges: &mut Vec<Edge>) -> bool {
        match &statement.kind {
            StatementKind::Sequence(parts) => parts.iter().all(|part| self.passes(part, edges)),
            StatementKind::Either(parts) => {
                let mut any = false;
                for part in parts {
                    any |= self.passes(part, edges);
                }
                any
            }
            StatementKind::Optionally(inner) => {
                self.passes(inner, edges);
                true
            }
            StatementKind::Try(first, second) => {
                let passes = self.passes(first, edges);
                if !self.endings.visit(first, &mut |_, _| {}).fails {
                    return passes;
                }
                second.as_ref().is_none_or(|second| self.passes(second, edges)) || passes
            }
            StatementKind::Test(inner) | StatementKind::Not(inner) => {
                self.passes(inner, edges);
                true
            }
            StatementKind::Repeat(least, most, inner) => {
                *most != Some(0) && self.passes(inner, edges) || *least == Some(0)
            }
            StatementKind::While(condition, body) => {
                let _ = self.passes(condition, edges) && self.passes(body, edges);
                true
            }
            StatementKind::DoWhile(body, condition) => {
                let passes = self.passes(body, edges);
                let _ = passes && self.passes(condition, edges);
                passes
            }
            StatementKind::Most(_, inner) => self.passes(inner, edges),
            StatementKind::Call(name) => match self.names.function(&name.value) {
                Some(to) => {
                    edges.push(Edge { to, span: name.span });
                    self.passing[to]
                }
                None => true,
            },
            StatementKind::Direction(_) | StatementKind::Directions(_) | StatementKind::Turn(_) => {
                !self.direction_counts
            }
            StatementKind::Assert(truth) => constant::value(truth) != Some(0),
            StatementKind::PointsAt(_)
            | StatementKind::Nothing
            | StatementKind::Match(_)
            | StatementKind::ToMove(_)
            | StatementKind::Irreversible
            | StatementKind::Name(_)
            | StatementKind::Forcing(_)
            | StatementKind::Ending(_)
            | StatementKind::Score(_) => true,
            StatementKind::Find(_)
            | StatementKind::ReplaceBy(_)
            | StatementKind::PickUp
            | StatementKind::PutDown
            | StatementKind::Step { .. }
            | StatementKind::MoveTo(..)
            | StatementKind::Assign(_)
            | StatementKind::Cycle(_)
            | StatementKind::Mistake => false,
        }
    }
}

/// The groups of rules that can all reach each other, each in the order of the text.
fn components(graph: &[Vec<Edge>]) -> Vec<Vec<usize>> {
    // Kosaraju: first in the order of the calls, then backwards from those that were left last. The stacks
    // are our own: chains of calls can be long.
    let mut group = vec![0_usize; graph.len()];
    let (mut order, mut seen) = (Vec::new(), vec![false; graph.len()]);
    let mut reverse = vec![Vec::new(); graph.len()];
    for (from, edges) in graph.iter().enumerate() {
        for edge in edges {
            reverse[edge.to].push(from);
        }
    }
    for root in 0..graph.len() {
        let mut open = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((rule, next)) = open.last_mut() {
            let edge = graph[*rule].get(*next);
            *next += 1;
            match edge {
                Some(edge) if !std::mem::replace(&mut seen[edge.to], true) => open.push((edge.to, 0)),
                Some(_) => {}
                None => {
                    order.push(*rule);
                    open.pop();
                }
            }
        }
    }
    let mut count = 0;
    for &root in order.iter().rev() {
        if group[root] != 0 {
            continue;
        }
        count += 1;
        let mut open = vec![root];
        while let Some(rule) = open.pop() {
            if group[rule] == 0 {
                group[rule] = count;
                open.extend(reverse[rule].iter().filter(|&&from| group[from] == 0));
            }
        }
    }
    let mut components = vec![Vec::new(); count];
    for (rule, &group) in group.iter().enumerate() {
        components[group - 1].push(rule);
    }
    components.sort();
    components
}

/// The shortest circle through the first rule of a group: each rule with its call of the next.
fn circle(graph: &[Vec<Edge>], component: &[usize]) -> Option<Vec<(usize, Span)>> {
    let start = *component.first()?;
    let mut came_from: HashMap<usize, (usize, Span)> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(rule) = queue.pop_front() {
        for edge in graph[rule].iter().filter(|edge| component.binary_search(&edge.to).is_ok()) {
            if came_from.contains_key(&edge.to) {
                continue;
            }
            came_from.insert(edge.to, (rule, edge.span));
            if edge.to == start {
                let mut circle = Vec::new();
                let mut at = start;
                loop {
                    let step = came_from[&at];
                    circle.push(step);
                    at = step.0;
                    if at == start {
                        circle.reverse();
                        return Some(circle);
                    }
                }
            }
            queue.push_back(edge.to);
        }
    }
    None
}

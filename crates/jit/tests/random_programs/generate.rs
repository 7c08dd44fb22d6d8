//! Random programs. Every statement of the language occurs, nested in every other; idioms that real rules are
//! made of (rays, jumps, guarded recursion) are mixed in, so that most programs yield some moves.

use fastrand::Rng;

use super::expressions::Names;
use super::program::{Piece, Program, Property, field_name};
use super::tree::{Form, Tree, binary, operand, sequence, simple, tree};

/// The program with this seed.
pub fn program(seed: u64) -> Program {
    let mut random = Rng::with_seed(seed);
    let (columns, rows) = match random.u32(..20) {
        0 => (9, 9),
        1 => (12, 12),
        2 => (1, 1),
        3 => (8, 8),
        _ => (random.usize(1..=5), random.usize(1..=5)),
    };
    let players = [2, 2, 2, 2, 1, 1, 0][random.usize(..7)];
    let pieces = pieces(&mut random);
    let properties = properties(&mut random);
    let tables = random.usize(..3);
    let tables = (0..tables).map(|index| {
        let values = random.usize(1..8);
        (format!("t{index}"), (0..values).map(|_| random.i64(-9..=20)).collect())
    });
    let tables = tables.collect();
    let mut program = Program {
        players,
        sides: random.usize(1..=2),
        columns,
        rows,
        pieces,
        properties,
        tables,
        links: Vec::new(),
        setup: Vec::new(),
        features: Vec::new(),
        rules: Vec::new(),
    };
    program.setup = setup(&mut random, &program);
    if random.u32(..8) == 0 {
        program.links = links(&mut random, &program);
    }
    let rules = random.usize(..4);
    let names = Names::new(&program);
    let mut generator = Generator { random, program: &program, names, rules, rule: 0 };
    let mut bodies = vec![("main".to_owned(), generator.main())];
    for rule in 1..=rules {
        generator.rule = rule;
        bodies.push((format!("rule{rule}"), generator.rule_body()));
    }
    // Features may call any rule.
    generator.rule = 0;
    let features = (0..generator.random.usize(..3)).map(|index| {
        let weight = generator.expression(2, true);
        let weight = if generator.random.bool() { operand(generator.random.i64(1..50)) } else { weight };
        (format!("feature{index}"), weight, sequence(generator.statements(3, 300.0, &mut State::default()).0))
    });
    let features: Vec<_> = features.collect();
    program.rules = bodies;
    program.features = features;
    program
}

fn pieces(random: &mut Rng) -> Vec<Piece> {
    // Now and then more codes than a word has bits.
    let count = if random.u32(..25) == 0 { 50 } else { random.usize(1..=5) };
    (0..count)
        .map(|index| Piece { name: format!("p{index}"), neutral: index > 0 && random.u32(..5) == 0 })
        .collect()
}

fn properties(random: &mut Rng) -> Vec<Property> {
    let count = [0, 0, 1, 1, 2, 2, 3, 4, 5][random.usize(..9)];
    (0..count)
        .map(|index| {
            let kind = ["board", "board", "player", "player", "field", "move"][random.usize(..6)];
            let low = [0, 0, 0, -3, 1, -100][random.usize(..6)];
            let high = low + [1, 3, 7, 7, 100, 5000][random.usize(..6)];
            let silent = match random.u32(..8) {
                0 if kind != "move" => " silent".to_owned(),
                1 if kind != "move" => format!(" silent below {}", low + random.i64(0..=high - low)),
                _ => String::new(),
            };
            Property { name: format!("v{index}"), kind, low, high, silent }
        })
        .collect()
}

fn links(random: &mut Rng, program: &Program) -> Vec<String> {
    const DIRECTIONS: [&str; 8] =
        ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
    let used = used_fields(program);
    let field = |random: &mut Rng| {
        let (column, row) = used[random.usize(..used.len())];
        field_name(column, row)
    };
    (0..random.usize(1..4))
        .map(|_| {
            let (from, direction) = (field(random), DIRECTIONS[random.usize(..8)]);
            // Most rings make loops endless, which takes the interpreter a while.
            match random.u32(..8) {
                0..5 => format!("{from} {direction} nowhere"),
                5..7 => format!("one way {from} {direction} {}", field(random)),
                _ => format!("{from} {direction} {}", field(random)),
            }
        })
        .collect()
}

/// Columns and rows of the fields that the setup uses.
pub fn used_fields(program: &Program) -> Vec<(usize, usize)> {
    let mut used = Vec::new();
    for row in 0..program.rows {
        let drawn = program.setup[program.rows - 1 - row].chars().enumerate();
        used.extend(drawn.filter(|&(_, character)| character != ' ').map(|(column, _)| (column, row)));
    }
    used
}

fn setup(random: &mut Rng, program: &Program) -> Vec<String> {
    let holes = program.columns > 1 && program.rows > 1 && random.u32(..6) == 0;
    let mut lines: Vec<String> = (0..program.rows)
        .map(|row| {
            let field = |column: usize, random: &mut Rng| {
                // The corners stay, so that the rows keep their width.
                let corner = column == 0 || column == program.columns - 1 || row == 0;
                if holes && !corner && random.u32(..4) == 0 {
                    return ' ';
                }
                character(random, program)
            };
            (0..program.columns).map(|column| field(column, random)).collect()
        })
        .collect();
    if program.players == 2 && random.bool() {
        lines.push("black to move".into());
    }
    for property in program.properties.iter().filter(|property| property.kind != "move") {
        let value = |random: &mut Rng| random.i64(property.low..=property.high);
        match property.kind {
            "player" => {
                lines.push(format!("white {} = {}", property.name, value(random)));
                if program.players == 2 {
                    lines.push(format!("black {} = {}", property.name, value(random)));
                }
            }
            "field" if random.bool() => {
                let values: Vec<String> =
                    (0..program.columns * program.rows).map(|_| value(random).to_string()).collect();
                lines.push(format!("{} = {}", property.name, values.join(" ")));
            }
            _ => lines.push(format!("{} = {}", property.name, value(random))),
        }
    }
    lines
}

/// What stands on a field of a random position.
fn character(random: &mut Rng, program: &Program) -> char {
    // Large boards are mostly empty: otherwise every `find` has a hundred results.
    let crowded = if program.columns * program.rows > 30 { 8 } else { 2 };
    if random.u32(..crowded) != 0 {
        return '.';
    }
    let index = random.usize(..program.pieces.len());
    let piece = &program.pieces[index];
    let (white, black) = piece.characters(index);
    if program.players == 2 && !piece.neutral && random.bool() { black } else { white }
}

/// What is probably true where a statement stands; only there to make sensible statements more likely.
#[derive(Clone, Copy, Default)]
pub struct State {
    pub finger: bool,
    pub hand: bool,
}

pub struct Generator<'program> {
    pub random: Rng,
    pub program: &'program Program,
    pub names: Names,
    /// How many rules there are beside `main`.
    pub rules: usize,
    /// The one that is being made.
    pub rule: usize,
}

impl Generator<'_> {
    pub fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.random.usize(..choices.len())].clone()
    }

    pub fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(..100) < percent
    }

    pub fn main(&mut self) -> Tree {
        let depth = self.one_of(&[2, 3, 3]);
        let body = sequence(self.statements(depth, 400.0, &mut State::default()).0);
        let ending = self.ending();
        // Something that mostly works, beside what mostly does not.
        let works = if self.chance(70) { self.tested_move() } else { self.plain_move() };
        match self.random.u32(..17) {
            13.. => tree(Form::TryElse, vec![works, ending]),
            0..6 => tree(Form::TryElse, vec![body, ending]),
            6 => tree(Form::Either, vec![works, body]),
            10..13 => tree(Form::TryElse, vec![tree(Form::Either, vec![body, works]), ending]),
            7 => tree(Form::Either, vec![body, sequence(vec![ending])]),
            8 => tree(Form::Optionally, vec![body]),
            _ => body,
        }
    }

    pub fn rule_body(&mut self) -> Tree {
        let (mut parts, _) = self.statements(2, 40.0, &mut State { finger: true, hand: false });
        // A rule that calls itself, or one before it, after something that cannot go on for ever.
        if self.chance(50) {
            let called = self.random.usize(1..=self.rule);
            let call = simple(format!("rule{called}"));
            let guarded = match self.guard() {
                Some(mut guard) if self.chance(60) => {
                    guard.push(call);
                    sequence(guard)
                }
                _ => {
                    let (what, step) = (self.names.what(&mut self.random), self.step());
                    match self.random.u32(..3) {
                        0 => sequence(vec![step, simple(format!("points at {what}")), call]),
                        1 => sequence(vec![
                            step,
                            simple("points at any piece"),
                            simple("replace by empty field"),
                            call,
                        ]),
                        _ => sequence(vec![simple("pick up"), step, simple("put down"), call]),
                    }
                }
            };
            let form = self.one_of(&[Form::Try, Form::Optionally, Form::Test, Form::Not, Form::Sequence]);
            let place = self.random.usize(..=parts.len());
            parts.insert(place, tree(form, vec![guarded]));
        }
        sequence(parts)
    }

    /// Something that can happen only a few times: a counter that goes up to a limit.
    pub fn guard(&mut self) -> Option<Vec<Tree>> {
        let small: Vec<Property> = self
            .program
            .properties
            .iter()
            .filter(|property| property.kind != "field" && property.high - property.low <= 7)
            .cloned()
            .collect();
        if small.is_empty() {
            return None;
        }
        let property = self.one_of(&small);
        let limit = property.low + self.random.i64(1..=(property.high - property.low).min(3));
        let name = property.name;
        Some(vec![
            tree(Form::Assert, vec![binary("<", operand(&name), operand(limit))]),
            tree(Form::Assign, vec![operand(format!("{name}++"))]),
        ])
    }

    pub fn ending(&mut self) -> Tree {
        match self.random.u32(..5) {
            0 => simple("win"),
            1 => simple("draw"),
            2 => simple("loss"),
            3 => tree(Form::Score, vec![self.expression(2, false)]),
            _ => sequence(vec![simple("nothing"), simple("win")]),
        }
    }

    /// Some statements one after the other, and how many results they may have.
    pub fn statements(&mut self, depth: u32, width_max: f64, state: &mut State) -> (Vec<Tree>, f64) {
        let count = 1 + self.random.usize(..if depth > 1 { 4 } else { 2 });
        let (mut parts, mut width) = (Vec::new(), 1.0_f64);
        if !state.finger && self.chance(80) {
            let what = self.names.what(&mut self.random);
            parts.push(simple(format!("find {what}")));
            width *= self.found();
            state.finger = true;
        }
        for _ in 0..count {
            if self.chance(25) {
                let (idiom, times) = self.idiom(state);
                if width * times <= width_max {
                    parts.extend(idiom);
                    width *= times;
                }
                continue;
            }
            let (part, times) = self.statement(depth, width_max / width, state);
            parts.push(part);
            width *= times;
        }
        (parts, width)
    }

    /// How many fields a search finds, roughly.
    pub fn found(&self) -> f64 {
        (self.program.columns * self.program.rows) as f64 / 3.0 + 1.0
    }

    pub fn step(&mut self) -> Tree {
        simple(if self.chance(85) { "step" } else { "step backward" })
    }

    /// What real rules are made of.
    pub fn idiom(&mut self, state: &mut State) -> (Vec<Tree>, f64) {
        let what = self.names.what(&mut self.random);
        let ray = sequence(vec![simple("step"), simple("points at empty field")]);
        state.finger = true;
        let choice = self.random.u32(..9);
        if state.hand && choice < 2 {
            state.hand = false;
            return (vec![self.direction(), self.step(), simple("put down")], 1.0);
        }
        match choice {
            0 => {
                let parts = vec![
                    simple("pick up"),
                    simple("orthogonal"),
                    tree(Form::Repeat("0 .. infinity".into()), vec![ray]),
                    simple("put down"),
                ];
                (parts, 8.0)
            }
            1 => {
                let kept = tree(Form::Not, vec![simple(format!("points at {what}"))]);
                (vec![simple("pick up"), self.direction(), self.step(), kept, simple("put down")], 1.0)
            }
            2 => (vec![tree(Form::While, vec![ray, simple("nothing")])], 1.0),
            3 => {
                let look = sequence(vec![
                    simple("any direction"),
                    simple("step"),
                    simple(format!("points at {what}")),
                ]);
                let form = self.one_of(&[Form::Test, Form::Not]);
                (vec![tree(form, vec![look])], 1.0)
            }
            4 => {
                let search = sequence(vec![
                    simple(format!("find {what}")),
                    simple("orthogonal"),
                    tree(Form::DoWhile, vec![simple("step"), simple("points at empty field")]),
                    simple(format!("points at {}", self.names.what(&mut self.random))),
                    tree(Form::Assert, vec![self.expression(1, true)]),
                    self.direction(),
                    tree(Form::Repeat("0 .. infinity".into()), vec![ray]),
                    simple("step"),
                    simple(format!("points at {}", self.names.what(&mut self.random))),
                ]);
                let form = self.one_of(&[Form::Test, Form::Not]);
                (vec![tree(form, vec![search])], 1.0)
            }
            5 => {
                let flip = sequence(vec![
                    simple("step"),
                    simple("points at any piece"),
                    simple(format!("replace by {}", self.names.certain(&mut self.random))),
                ]);
                (vec![self.direction(), tree(Form::Repeat("0 .. infinity".into()), vec![flip])], 2.0)
            }
            6 => {
                let (left, right) = (self.small_assignment(), self.small_assignment());
                (vec![tree(Form::Either, vec![left, right])], 2.0)
            }
            7 => (self.count_along_lines(&what), 1.0),
            _ => (
                vec![
                    simple(format!("points at {what}")),
                    simple(format!("replace by {}", self.names.certain(&mut self.random))),
                ],
                1.0,
            ),
        }
    }

    /// To the end of a line, and back along the whole of it, counting; or only one of the two.
    pub fn count_along_lines(&mut self, what: &str) -> Vec<Tree> {
        let ways = [("step", "step backward"), ("step backward", "step"), ("step", "step")];
        let (there, back) = self.one_of(&ways);
        let mut parts = vec![self.direction()];
        if self.chance(70) {
            parts.push(tree(Form::While, vec![simple(there), simple("nothing")]));
        }
        let Some(property) = self.property(true) else { return parts };
        let count = format!("{}{}", self.named(&property), self.one_of(&["++", "++", "++", "--"]));
        let seen = simple(format!("points at {what}"));
        let body = tree(Form::Try, vec![sequence(vec![seen, tree(Form::Assign, vec![operand(count)])])]);
        parts.push(match self.chance(70) {
            true => tree(Form::DoWhile, vec![body, simple(back)]),
            false => tree(Form::While, vec![simple(back), body]),
        });
        parts
    }

    pub fn small_assignment(&mut self) -> Tree {
        tree(Form::Assign, vec![self.assignment(true)])
    }

    pub fn direction(&mut self) -> Tree {
        const DIRECTIONS: [&str; 8] =
            ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
        match self.random.u32(..4) {
            0 => simple(format!("turn {}", 45 * self.random.i32(-8..=8))),
            _ => simple(DIRECTIONS[self.random.usize(..8)]),
        }
    }

    /// A statement and how many results it may have.
    pub fn statement(&mut self, depth: u32, width_max: f64, state: &mut State) -> (Tree, f64) {
        if depth == 0 || self.chance(50) {
            return self.plain(width_max, state);
        }
        let before = *state;
        let (first, width) = {
            let (parts, width) = self.statements(depth - 1, width_max, state);
            (sequence(parts), width)
        };
        let second = |generator: &mut Self, from: State| {
            let mut state = from;
            let (parts, width) = generator.statements(depth - 1, width_max, &mut state);
            (sequence(parts), width, state)
        };
        match self.random.u32(..16) {
            0 | 1 => {
                let (other, more, after) = second(self, before);
                state.finger &= after.finger;
                let mut parts = vec![first, other];
                if self.chance(25) {
                    parts.push(self.plain(width_max, &mut before.clone()).0);
                }
                if self.chance(25) {
                    // Small choices that can share what follows.
                    parts = (0..self.random.usize(2..5)).map(|_| self.choice(before)).collect();
                }
                if self.chance(5) {
                    parts.truncate(1);
                }
                (tree(Form::Either, parts), width + more)
            }
            2 | 3 => {
                state.finger &= before.finger;
                (tree(Form::Optionally, vec![first]), width + 1.0)
            }
            4 => {
                state.finger &= before.finger;
                (tree(Form::Try, vec![first]), width)
            }
            5 | 6 => {
                let (other, more, after) = second(self, before);
                state.finger &= after.finger;
                (tree(Form::TryElse, vec![first, other]), width.max(more))
            }
            7 => {
                *state = before;
                (tree(Form::Test, vec![first]), 1.0)
            }
            8 => {
                *state = before;
                (tree(Form::Not, vec![first]), 1.0)
            }
            9 | 10 => self.repeat(first, width, width_max),
            11 | 12 => self.a_loop(first, width, before, width_max, depth),
            13 => {
                let value = self.expression(2, state.finger);
                (tree(Form::Most, vec![value, first]), width)
            }
            14 => (first, width),
            _ => match self.call() {
                Some(call) => (call, 3.0),
                None => (first, width),
            },
        }
    }

    /// A statement with at most one result that writes no field.
    pub fn choice(&mut self, state: State) -> Tree {
        let mut state = state;
        match self.random.u32(..5) {
            0 => self.direction(),
            1 => sequence(vec![self.direction(), self.step()]),
            2 => self.small_assignment(),
            3 => tree(Form::Assert, vec![self.expression(1, state.finger)]),
            _ => self.plain(1.0, &mut state).0,
        }
    }
}

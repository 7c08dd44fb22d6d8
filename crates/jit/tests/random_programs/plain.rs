//! Random loops and plain statements.

use super::generate::{Generator, State, used_fields};
use super::program::field_name;
use super::tree::{Form, Tree, operand, sequence, simple, tree};

impl Generator<'_> {
    pub fn repeat(&mut self, body: Tree, width: f64, width_max: f64) -> (Tree, f64) {
        let times = self.random.usize(..5);
        if width > 1.0 {
            // 65 rounds are too many to write out.
            if self.random.u32(..300) == 0 {
                let body = sequence(vec![simple("step"), body]);
                return (tree(Form::Repeat("0 .. 65".into()), vec![body]), width * 4.0);
            }
            if self.chance(30)
                && let Some(mut parts) = self.guard()
            {
                parts.push(body);
                let count = format!("{} .. infinity", self.random.usize(..3));
                return (tree(Form::Repeat(count), vec![sequence(parts)]), width.powi(3).min(width_max));
            }
            let times = if width.powi(times as i32) > width_max.max(2.0) { 1 } else { times };
            let count = match self.random.u32(..2) {
                0 => times.to_string(),
                _ => format!("{} .. {times}", self.random.usize(..=times)),
            };
            return (tree(Form::Repeat(count), vec![body]), width.powi(times as i32) * 2.0);
        }
        let (count, times) = match self.random.u32(..6) {
            0 => (format!("{}", self.random.usize(..12)), 1.0),
            1 => {
                let low = self.random.usize(..4);
                (format!("{low} .. {}", low + self.random.usize(..9)), 4.0)
            }
            2 => (format!("{} .. infinity", self.random.usize(..3)), 4.0),
            3 => {
                let bodies = [self.direction(), self.step(), self.small_assignment()];
                let body = self.one_of(&bodies);
                return (tree(Form::Repeat("70".to_owned()), vec![body]), 1.0);
            }
            _ => (times.to_string(), 1.0),
        };
        // `infinity` needs something that ends.
        let body = match self.chance(80) {
            true => sequence(vec![self.step(), body]),
            false => body,
        };
        (tree(Form::Repeat(count), vec![body]), times)
    }

    pub fn a_loop(
        &mut self,
        body: Tree,
        width: f64,
        state: State,
        width_max: f64,
        depth: u32,
    ) -> (Tree, f64) {
        let mut state = state;
        let plain = self.plain(1.0, &mut state).0;
        let mut condition = match (self.random.u32(..4), self.guard()) {
            (0..3, Some(mut guard)) => {
                if self.chance(50) {
                    guard.push(plain);
                }
                guard
            }
            (3, Some(mut guard)) => {
                let (more, _) = self.statements(depth - 1, width_max.sqrt(), &mut state);
                guard.extend(more);
                guard
            }
            _ => vec![self.step(), simple(format!("points at {}", self.names.what(&mut self.random)))],
        };
        if self.chance(20) {
            condition.push(self.direction());
        }
        let condition = sequence(condition);
        let form = self.one_of(&[Form::While, Form::DoWhile]);
        let parts = match form {
            Form::While => vec![condition, body],
            _ => vec![body, condition],
        };
        (tree(form, parts), width.powi(3))
    }

    /// A statement without statements in it.
    pub fn plain(&mut self, width_max: f64, state: &mut State) -> (Tree, f64) {
        let one = |part: Tree| (part, 1.0);
        if !state.finger && self.chance(70) {
            state.finger = true;
            if self.found() <= width_max && self.chance(70) {
                return (simple(format!("find {}", self.names.what(&mut self.random))), self.found());
            }
            return one(self.move_to(state.finger));
        }
        if state.hand && self.chance(30) {
            state.hand = false;
            return one(simple("put down"));
        }
        match self.random.u32(..36) {
            0..2 => one(simple(format!("points at {}", self.names.what(&mut self.random)))),
            2..4 => {
                let what = simple(format!("points at {}", self.names.what(&mut self.random)));
                one(tree(Form::Not, vec![what]))
            }
            4..6 => {
                let part = self.plain(1.0, state).0;
                one(tree(self.one_of(&[Form::Try, Form::Try, Form::Optionally, Form::Sequence]), vec![part]))
            }
            6..9 => one(simple(format!("replace by {}", self.names.certain(&mut self.random)))),
            9..11 => {
                state.hand = true;
                one(simple("pick up"))
            }
            11 => {
                state.hand = false;
                one(simple("put down"))
            }
            12..16 => one(self.step()),
            16..18 => one(self.direction()),
            18 if width_max >= 4.0 => {
                (simple(self.one_of(&["orthogonal", "diagonal", "any direction"])), 6.0)
            }
            19 => one(self.move_to(state.finger)),
            20 => one(tree(Form::Assert, vec![self.expression(2, state.finger)])),
            21 => {
                let question = tree(Form::Assert, vec![self.expression(2, state.finger)]);
                let then = self.plain(1.0, state).0;
                one(tree(Form::Try, vec![sequence(vec![question, then])]))
            }
            22..27 => {
                let careful = self.chance(93);
                one(tree(Form::Assign, vec![self.assignment(careful)]))
            }
            27 => {
                let part = match self.random.bool() {
                    true => self.match_board(),
                    false => simple(self.one_of(&["white to move", "black to move"])),
                };
                one(tree(self.one_of(&[Form::Try, Form::Not, Form::Sequence]), vec![part]))
            }
            28 => one(self.direction()),
            29 => one(simple("irreversible")),
            30 => one(simple(self.one_of(&["forcing", "quiet"]))),
            31 => one(self.ending()),
            32 => one(self.cycle()),
            33 => one(simple("nothing")),
            34 if self.found() <= width_max => {
                (simple(format!("find {}", self.names.what(&mut self.random))), self.found())
            }
            _ => one(match self.call() {
                Some(call) if width_max >= 4.0 => call,
                _ => simple("nothing"),
            }),
        }
    }

    pub fn move_to(&mut self, finger: bool) -> Tree {
        let column = self.random.usize(..=self.program.columns + 1);
        let row = self.random.usize(..=self.program.rows + 1);
        let mut parts = vec![operand(column), operand(row)];
        for (part, name) in parts.iter_mut().zip(["column", "row"]) {
            match self.random.u32(..6) {
                0 => *part = self.expression(2, finger),
                1 if finger => *part = operand(name),
                _ => {}
            }
        }
        tree(Form::MoveTo, parts)
    }

    pub fn match_board(&mut self) -> Tree {
        let used = used_fields(self.program).len();
        let all = self.program.columns * self.program.rows;
        let fields = self.one_of(&[used, all]);
        let mut whats = vec!["any field".to_owned(); fields];
        for _ in 0..self.random.usize(..3) {
            let place = self.random.usize(..fields);
            whats[place] = self.names.what(&mut self.random);
        }
        simple(format!("match ({})", whats.join(", ")))
    }

    pub fn cycle(&mut self) -> Tree {
        let mut fields = used_fields(self.program);
        self.random.shuffle(&mut fields);
        fields.truncate(self.random.usize(1..5));
        let names: Vec<String> = fields.iter().map(|&(column, row)| field_name(column, row)).collect();
        simple(format!("cycle ({})", names.join(", ")))
    }

    pub fn call(&mut self) -> Option<Tree> {
        // Calls go to later rules; `rule_body` adds those that go back.
        (self.rule < self.rules)
            .then(|| simple(format!("rule{}", self.random.usize(self.rule + 1..=self.rules))))
    }
}

//! Rules, features and expressions of a checked program. What the checker has ruled out becomes a diagnostic
//! `E099` here: it would be a mistake of ours, and a message is better than a panic.

use std::cell::RefCell;

use game::{Colour, GameInfo, PieceCode, Position};
use lang::syntax::{self, StatementKind, What};
use lang::{Diagnostic, Source, Span};

use crate::ir::{
    ConstantTable, Ending, Expression, ExpressionKind, Feature, Function, Node, NodeKind, Owner, PieceSet,
    Program, Requirement, Variable,
};

use crate::names::{NamePart, Sayings};

type Lowered<T> = Result<T, Diagnostic>;

/// What the rules do, without the names that they give.
pub(super) fn lower(
    tree: &syntax::Program,
    info: GameInfo,
    setups: Vec<(String, Position)>,
    source: &Source,
) -> Lowered<Program> {
    Ok(lower_with(tree, info, setups, source, false)?.0)
}

/// The same with names: each `name` is a call of a rule that does nothing, and those rules are listed with what
/// they say.
pub(super) fn lower_names(
    tree: &syntax::Program,
    info: GameInfo,
    source: &Source,
) -> Lowered<(Program, Sayings)> {
    lower_with(tree, info, Vec::new(), source, true)
}

fn lower_with(
    tree: &syntax::Program,
    info: GameInfo,
    setups: Vec<(String, Position)>,
    source: &Source,
    naming: bool,
) -> Lowered<(Program, Sayings)> {
    let tables: Vec<ConstantTable> = tree
        .tables
        .iter()
        .map(|table| ConstantTable {
            name: table.name.value.clone(),
            values: table.values.iter().map(|number| number.value).collect(),
        })
        .collect();
    let lower = Lower { tree, info: &info, tables: &tables, naming, sayings: RefCell::default() };
    let function = |function: &syntax::Function| {
        Ok(Function { name: function.name.value.clone(), body: lower.statement(&function.body)? })
    };
    let mut functions: Vec<Function> = tree.functions.iter().map(function).collect::<Lowered<_>>()?;
    let main = functions.iter().position(|function| function.name == "main");
    let main = main.ok_or_else(|| unchecked(tree.end, "no `main`"))?;
    let feature = |feature: &syntax::Feature| {
        let (weight, body) = (lower.expression(&feature.weight)?, lower.statement(&feature.body)?);
        Ok(Feature { name: feature.name.value.clone(), for_mover: feature.for_mover, weight, body })
    };
    let features = tree.features.iter().map(feature).collect::<Lowered<_>>()?;
    let requirement = |requirement: &syntax::Requirement| {
        Ok(Requirement {
            reason: requirement.reason.value.clone(),
            body: lower.statement(&requirement.body)?,
        })
    };
    let possible = tree.possible.iter().map(requirement).collect::<Lowered<_>>()?;
    let finished = tree.finished.as_ref().map(|body| lower.statement(body)).transpose()?;
    let sayings = lower.sayings.into_inner();
    let silent = Node { kind: NodeKind::Sequence(Vec::new()), span: tree.end };
    functions.extend(sayings.iter().map(|_| Function { name: "name".to_owned(), body: silent.clone() }));
    let mut program = Program {
        functions,
        main,
        closing_test: None,
        features,
        possible,
        finished,
        tables,
        source: source.clone(),
        setups,
        room: crate::limits::Room::USUAL,
        info,
    };
    if let Some(test) = crate::closing::closing_test(&program).cloned() {
        program.closing_test = Some(program.functions.len());
        program.functions.push(Function { name: "the end of a move".to_owned(), body: test });
    }
    let first = tree.functions.len();
    Ok((program, Sayings { first, said: sayings }))
}

fn unchecked(span: Span, what: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error("E099", span, format!("the checker let this pass: {what}"))
        .hint("please report it with the rules")
}

struct Lower<'tree> {
    tree: &'tree syntax::Program,
    info: &'tree GameInfo,
    tables: &'tree [ConstantTable],
    /// Whether names are kept.
    naming: bool,
    /// What the names found so far consist of.
    sayings: RefCell<Vec<Vec<NamePart>>>,
}

impl Lower<'_> {
    fn boxed(&self, statement: &syntax::Statement) -> Lowered<Box<Node>> {
        Ok(Box::new(self.statement(statement)?))
    }

    fn all(&self, statements: &[syntax::Statement]) -> Lowered<Vec<Node>> {
        statements.iter().map(|statement| self.statement(statement)).collect()
    }

    /// One after the other; names that are not asked for leave no trace.
    fn sequence(&self, statements: &[syntax::Statement]) -> Lowered<NodeKind> {
        let is_kept =
            |statement: &&syntax::Statement| self.naming || !matches!(statement.kind, StatementKind::Name(_));
        let kept = statements.iter().filter(is_kept).map(|statement| self.statement(statement));
        Ok(NodeKind::Sequence(kept.collect::<Lowered<_>>()?))
    }

    fn name(&self, parts: &[syntax::NamePart]) -> Lowered<NodeKind> {
        if !self.naming {
            return Ok(NodeKind::Sequence(Vec::new()));
        }
        let part = |part: &syntax::NamePart| {
            Ok(match part {
                syntax::NamePart::Text(text) => NamePart::Text(text.value.clone()),
                syntax::NamePart::Field => NamePart::Field,
                syntax::NamePart::Piece => NamePart::Piece,
                syntax::NamePart::Value(value) => NamePart::Value(self.expression(value)?),
            })
        };
        let parts = parts.iter().map(part).collect::<Lowered<_>>()?;
        let mut sayings = self.sayings.borrow_mut();
        sayings.push(parts);
        Ok(NodeKind::Call(self.tree.functions.len() + sayings.len() - 1))
    }

    fn statement(&self, statement: &syntax::Statement) -> Lowered<Node> {
        let nothing = || Box::new(Node { kind: NodeKind::Sequence(Vec::new()), span: statement.span });
        let kind = match &statement.kind {
            StatementKind::Find(what) => NodeKind::Find(self.found_set(what)?),
            StatementKind::PointsAt(what) => NodeKind::PointsAt(self.set(what)?),
            StatementKind::ReplaceBy(what) => NodeKind::Replace(self.one_piece(what)?),
            StatementKind::PickUp => NodeKind::PickUp,
            StatementKind::PutDown => NodeKind::PutDown,
            StatementKind::Step { backward } => NodeKind::Step { backward: *backward },
            StatementKind::Direction(direction) => NodeKind::Directions(vec![*direction]),
            StatementKind::Directions(directions) => NodeKind::Directions(directions.to_vec()),
            StatementKind::Turn(eighths) => NodeKind::Turn(*eighths),
            StatementKind::MoveTo(column, row) => {
                NodeKind::MoveTo(self.expression(column)?, self.expression(row)?)
            }
            StatementKind::Either(choices) => NodeKind::Either(self.all(choices)?),
            StatementKind::Optionally(body) => NodeKind::Either(vec![self.statement(body)?, *nothing()]),
            StatementKind::Try(first, second) => {
                let second = second.as_ref().map_or_else(|| Ok(nothing()), |second| self.boxed(second))?;
                NodeKind::Try(self.boxed(first)?, second)
            }
            StatementKind::Test(body) => NodeKind::Test(self.boxed(body)?),
            StatementKind::Not(body) => NodeKind::Not(self.boxed(body)?),
            StatementKind::Repeat(least, most, body) => {
                let count = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
                NodeKind::Repeat {
                    least: least.map_or(u32::MAX, count),
                    most: most.map(count),
                    body: self.boxed(body)?,
                }
            }
            StatementKind::While(condition, body) => {
                NodeKind::While(self.boxed(condition)?, self.boxed(body)?)
            }
            StatementKind::DoWhile(body, condition) => {
                NodeKind::DoWhile(self.boxed(body)?, self.boxed(condition)?)
            }
            StatementKind::Nothing => NodeKind::Sequence(Vec::new()),
            StatementKind::Assert(value) => NodeKind::Assert(self.expression(value)?),
            StatementKind::Assign(value) => NodeKind::Assign(self.expression(value)?),
            StatementKind::Match(fields) => NodeKind::Match(self.match_board(fields, statement.span)?),
            StatementKind::ToMove(owner) => {
                NodeKind::ToMove(if *owner == syntax::Owner::White { Colour::White } else { Colour::Black })
            }
            StatementKind::Irreversible => NodeKind::Irreversible,
            StatementKind::Forcing(forcing) => NodeKind::Forcing(*forcing),
            StatementKind::Ending(ending) => NodeKind::Ending(match ending {
                syntax::Ending::Win => Ending::Win,
                syntax::Ending::Draw => Ending::Draw,
                syntax::Ending::Loss => Ending::Loss,
            }),
            StatementKind::Score(value) => NodeKind::Score(self.expression(value)?),
            StatementKind::Most(value, body) => NodeKind::Most(self.expression(value)?, self.boxed(body)?),
            StatementKind::Cycle(fields) => {
                let field = |field: &lang::source::Spanned<(i64, i64)>| {
                    let found = self.info.geometry.at(field.value.0, field.value.1);
                    let found = found.ok_or_else(|| unchecked(field.span, "a field off the board"))?;
                    if self.info.geometry.is_used(found) {
                        return Ok(found);
                    }
                    let message = "this field is not used: nothing can stand there";
                    Err(Diagnostic::error("E034", field.span, message).hint("leave it out of the cycle"))
                };
                NodeKind::Cycle(fields.iter().map(field).collect::<Lowered<_>>()?)
            }
            StatementKind::Sequence(statements) => self.sequence(statements)?,
            StatementKind::Name(parts) => self.name(parts)?,
            StatementKind::Call(name) => self.call(name)?,
            StatementKind::Mistake => return Err(unchecked(statement.span, "an unreadable statement")),
        };
        Ok(Node { kind, span: statement.span })
    }

    /// A rule, or one of the words that are statements only where no rule has that name.
    fn call(&self, name: &syntax::Name) -> Lowered<NodeKind> {
        match self.tree.functions.iter().position(|function| function.name.value == name.value) {
            Some(function) => Ok(NodeKind::Call(function)),
            None if name.value == "forcing" => Ok(NodeKind::Forcing(true)),
            None if name.value == "quiet" => Ok(NodeKind::Forcing(false)),
            None => Err(unchecked(name.span, format!("unknown rule `{}`", name.value))),
        }
    }

    fn piece_codes(&self, name: &syntax::Name) -> Lowered<[PieceCode; 2]> {
        let piece = self.info.pieces.iter().find(|piece| piece.name == name.value);
        piece
            .map(|piece| piece.codes)
            .ok_or_else(|| unchecked(name.span, format!("unknown piece `{}`", name.value)))
    }

    /// What `find` looks for: the finger is never on a field that is not used.
    fn found_set(&self, what: &What) -> Lowered<PieceSet> {
        let PieceSet { codes } = self.set(what)?;
        Ok(PieceSet { codes: codes.map(|codes| codes & !PieceCode::UNUSED.bit()) })
    }

    fn set(&self, what: &What) -> Lowered<PieceSet> {
        let codes = |colour: Colour, chosen: &[[PieceCode; 2]]| {
            chosen.iter().fold(0, |set, codes| set | codes[colour.index()].bit())
        };
        let for_owner = |owner: Option<syntax::Owner>, chosen: &[[PieceCode; 2]]| {
            let for_mover = |mover: Colour| match owner {
                None => codes(Colour::White, chosen) | codes(Colour::Black, chosen),
                Some(syntax::Owner::Own) => codes(mover, chosen),
                Some(syntax::Owner::Opponents) => codes(mover.opponent(), chosen),
                Some(syntax::Owner::White) => codes(Colour::White, chosen),
                Some(syntax::Owner::Black) => codes(Colour::Black, chosen),
            };
            PieceSet { codes: [for_mover(Colour::White), for_mover(Colour::Black)] }
        };
        Ok(match what {
            What::Empty(_) => PieceSet { codes: [PieceCode::EMPTY.bit(); 2] },
            What::AnyField(_) => PieceSet { codes: [u128::MAX; 2] },
            What::AnyPiece(owner, _) => {
                // A neutral piece is neither own nor the opponent's, unless there is only one player.
                let chosen: Vec<_> = self
                    .info
                    .pieces
                    .iter()
                    .filter(|piece| owner.is_none() || !piece.is_neutral() || self.info.players < 2)
                    .map(|piece| piece.codes)
                    .collect();
                self.nobody_is_opponent(*owner, for_owner(*owner, &chosen))
            }
            What::Piece(owner, name) => {
                self.nobody_is_opponent(*owner, for_owner(*owner, &[self.piece_codes(name)?]))
            }
        })
    }

    /// In a one-player game all pieces are the player's, so none is the opponent's.
    fn nobody_is_opponent(&self, owner: Option<syntax::Owner>, set: PieceSet) -> PieceSet {
        match owner {
            Some(syntax::Owner::Opponents | syntax::Owner::Black) if self.info.players < 2 => {
                PieceSet { codes: [0; 2] }
            }
            _ => set,
        }
    }

    fn one_piece(&self, what: &What) -> Lowered<[PieceCode; 2]> {
        match what {
            What::Empty(_) => Ok([PieceCode::EMPTY; 2]),
            What::Piece(owner, name) => {
                let [white, black] = self.piece_codes(name)?;
                Ok(match owner {
                    None | Some(syntax::Owner::Own) => [white, black],
                    Some(syntax::Owner::Opponents) => [black, white],
                    Some(syntax::Owner::White) => [white, white],
                    Some(syntax::Owner::Black) => [black, black],
                })
            }
            What::AnyPiece(_, span) | What::AnyField(span) => Err(unchecked(*span, "no certain piece")),
        }
    }

    /// By field number, from a list in reading order over all fields or over the used ones.
    fn match_board(&self, fields: &[What], span: Span) -> Lowered<Vec<PieceSet>> {
        let geometry = &self.info.geometry;
        let anything = PieceSet { codes: [u128::MAX; 2] };
        let mut sets = vec![anything; geometry.fields()];
        let all = fields.len() == geometry.fields();
        let places: Vec<_> =
            geometry.reading_order().filter(|&field| all || geometry.is_used(field)).collect();
        if places.len() != fields.len() {
            let message = format!("`match` has {} fields, the board has {}", fields.len(), places.len());
            return Err(
                Diagnostic::error("E027", span, message).hint("give one piece description for each field")
            );
        }
        for (place, what) in places.into_iter().zip(fields) {
            sets[place as usize] = self.set(what)?;
        }
        Ok(sets)
    }

    fn variable(&self, owner: Option<syntax::Owner>, name: &syntax::Name) -> Option<Variable> {
        let property = self.info.properties.iter().position(|property| property.name == name.value)?;
        let owner = match owner {
            None | Some(syntax::Owner::Own) => Owner::Own,
            Some(syntax::Owner::Opponents) => Owner::Opponents,
            Some(syntax::Owner::White) => Owner::White,
            Some(syntax::Owner::Black) => Owner::Black,
        };
        Some(Variable { property, owner })
    }

    fn target(&self, target: &syntax::Expression) -> Lowered<Variable> {
        match &target.kind {
            syntax::ExpressionKind::Name(owner, name) => self
                .variable(*owner, name)
                .ok_or_else(|| unchecked(target.span, "an assignment to something that is no property")),
            _ => Err(unchecked(target.span, "an assignment to something that is no property")),
        }
    }

    fn boxed_expression(&self, expression: &syntax::Expression) -> Lowered<Box<Expression>> {
        Ok(Box::new(self.expression(expression)?))
    }

    fn expression(&self, expression: &syntax::Expression) -> Lowered<Expression> {
        use syntax::ExpressionKind as Tree;
        let kind = match &expression.kind {
            Tree::Integer(value) => ExpressionKind::Integer(*value),
            Tree::Name(owner, name) => match (self.variable(*owner, name), name.value.as_str()) {
                (Some(variable), _) => ExpressionKind::Variable(variable),
                (None, "row") => ExpressionKind::Row,
                (None, "column") => ExpressionKind::Column,
                (None, "direction") => ExpressionKind::Direction,
                (None, "place") => ExpressionKind::Place,
                (None, other) => return Err(unchecked(name.span, format!("unknown property `{other}`"))),
            },
            Tree::NumberOf(what) => ExpressionKind::NumberOf(self.set(what)?),
            Tree::Element(name, index) => {
                let table = self.tables.iter().position(|table| table.name == name.value);
                let table = table.ok_or_else(|| unchecked(name.span, "unknown table"))?;
                ExpressionKind::Element(table, self.boxed_expression(index)?)
            }
            Tree::Unary(operator, operand) => {
                ExpressionKind::Unary(*operator, self.boxed_expression(operand)?)
            }
            Tree::Binary(operator, left, right) => {
                ExpressionKind::Binary(*operator, self.boxed_expression(left)?, self.boxed_expression(right)?)
            }
            Tree::Conditional(condition, first, second) => ExpressionKind::Conditional(
                self.boxed_expression(condition)?,
                self.boxed_expression(first)?,
                self.boxed_expression(second)?,
            ),
            Tree::Assign(operator, target, value) => {
                ExpressionKind::Assign(*operator, self.target(target)?, self.boxed_expression(value)?)
            }
            Tree::Step(amount, postfix, target) => {
                ExpressionKind::Step { amount: *amount, postfix: *postfix, variable: self.target(target)? }
            }
            Tree::Comma(left, right) => {
                ExpressionKind::Comma(self.boxed_expression(left)?, self.boxed_expression(right)?)
            }
            Tree::Mistake => return Err(unchecked(expression.span, "an unreadable expression")),
        };
        Ok(Expression { kind, span: expression.span })
    }
}

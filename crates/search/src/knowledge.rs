//! What a search wants to know of a game and the contract does not say: found out by playing at random.
//!
//! The sample is a function of the game and the start position alone: the same in every run.

use game::{Colour, Field, Game, GameInfo, MoveList, MoveView, PieceCode, Position, RuleFault, Stage};

const GAMES: usize = 24;
const PLIES: usize = 60;
/// So many moves at random do not decide a game as a rule.
const BALANCED: usize = 20;
const SEED: u64 = 1;
/// Where positions have very many moves, fewer positions must do: so many moves in all, which take about a second.
const MOVES_MAX: usize = 2_000_000;

/// Facts about a game. Make it once per game with [`Knowledge::learn`] and use it for all searches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knowledge {
    /// What evaluation gains on average when a piece is captured, by piece code; positive for white's pieces,
    /// negative for black's.
    worth: [i32; PieceCode::COUNT_MAX],
    /// Whether a piece was never captured and each player has one: losing it is out of the question.
    royal: [bool; PieceCode::COUNT_MAX],
    /// Whether such a piece was seen to make a move that can be taken back, and may be lost: who has one can wait.
    waits: [bool; PieceCode::COUNT_MAX],
    /// The smallest worth, or what evaluation changes by on average if that is more; 0 for a game without an
    /// evaluation.
    pub unit: i32,
    /// Whether there are positions with forcing and quiet moves, or no forcing moves at all: then no player is forced
    /// to capture.
    pub captures_are_optional: bool,
}

impl Default for Knowledge {
    /// Nothing is known.
    fn default() -> Knowledge {
        Knowledge {
            worth: [0; PieceCode::COUNT_MAX],
            royal: [false; PieceCode::COUNT_MAX],
            waits: [false; PieceCode::COUNT_MAX],
            unit: 0,
            captures_are_optional: false,
        }
    }
}

impl Knowledge {
    /// Plays some random games from a position. Costs about a thousand move generations.
    ///
    /// # Errors
    /// When the rules go wrong, or it is told to end ([`game::stopping`]).
    pub fn learn<G: Game>(game: &G, start: &Position) -> Result<Knowledge, RuleFault> {
        let mut sample = Sample::of_games(game, start, true)?;
        // Rules that have nothing to say of positions do not know what pieces are worth.
        if sample.says_nothing_plainly() {
            sample = Sample::of_games(game, start, false)?;
        }
        Ok(sample.conclude(game.info(), start))
    }

    /// What a move wins at once, for the player who makes it.
    #[must_use]
    #[inline]
    pub fn gain(&self, info: &GameInfo, played: MoveView<'_>, mover: Colour) -> i32 {
        let fields = info.geometry.fields();
        let on_board = played.changes.iter().take_while(|change| change.slot() < fields);
        let white: i32 =
            on_board.map(|change| self.worth[code(change.new())] - self.worth[code(change.old())]).sum();
        if mover == Colour::White { white } else { -white }
    }

    /// What the piece that moves is worth, for either owner.
    #[must_use]
    pub fn risk(&self, played: MoveView<'_>) -> i32 {
        let lead = played.changes.iter().find(|change| change.slot() == usize::from(played.head.lead));
        lead.map_or(0, |change| self.worth[code(change.old())].abs())
    }

    /// Where a move puts the one piece that it leaves somewhere, and what that piece is worth.
    #[must_use]
    pub fn landing(&self, info: &GameInfo, played: MoveView<'_>, mover: Colour) -> Option<(Field, i32)> {
        let fields = info.geometry.fields();
        let mut landed = played
            .changes
            .iter()
            .take_while(|change| change.slot() < fields)
            .filter(|change| info.colour_of(PieceCode(code(change.new()) as u8)) == Some(mover));
        match (landed.next(), landed.next()) {
            (Some(change), None) => Some((change.slot() as Field, self.worth[code(change.new())].abs())),
            _ => None,
        }
    }

    /// Whether a move takes a piece that is never taken: the position before it cannot be.
    #[must_use]
    pub fn takes_royal(&self, info: &GameInfo, played: MoveView<'_>, mover: Colour) -> bool {
        let fields = info.geometry.fields();
        let on_board = played.changes.iter().take_while(|change| change.slot() < fields);
        on_board.into_iter().any(|change| {
            let old = PieceCode(code(change.old()) as u8);
            self.royal[usize::from(old.0)] && info.colour_of(old) == Some(mover.opponent())
        })
    }

    /// Whether the piece that moves is never captured.
    #[must_use]
    pub fn is_led_by_royal(&self, played: MoveView<'_>) -> bool {
        let lead = played.changes.iter().find(|change| change.slot() == usize::from(played.head.lead));
        lead.is_some_and(|change| self.royal[code(change.old())])
    }

    /// The pieces of a player that are never captured.
    #[must_use]
    pub fn royals(&self, info: &GameInfo, colour: Colour) -> Vec<PieceCode> {
        let pieces = info.pieces.iter().filter(|piece| !piece.is_neutral());
        pieces.map(|piece| piece.codes[colour.index()]).filter(|&code| self.is_royal(code)).collect()
    }

    /// The pieces of a player that can be moved to and fro, and may be lost.
    #[must_use]
    pub fn waiting(&self, info: &GameInfo, colour: Colour) -> Vec<PieceCode> {
        let pieces = info.pieces.iter().filter(|piece| !piece.is_neutral());
        let codes = pieces.map(|piece| piece.codes[colour.index()]);
        codes.filter(|&code| self.waits[usize::from(code.0)] && !self.is_royal(code)).collect()
    }

    /// Whether a piece is never captured.
    #[must_use]
    pub fn is_royal(&self, code: PieceCode) -> bool {
        self.royal[usize::from(code.0)]
    }

    /// Whether there are pieces that are never taken.
    #[must_use]
    #[inline]
    pub fn has_royals(&self) -> bool {
        self.royal.contains(&true)
    }
}

fn code(value: i32) -> usize {
    value as usize & (PieceCode::COUNT_MAX - 1)
}

struct Sample {
    gained: [i64; PieceCode::COUNT_MAX],
    captured: [i64; PieceCode::COUNT_MAX],
    changed: i64,
    moves: i64,
    /// Whether moves are rated by the plain evaluation where a network judges alone.
    plainly: bool,
    /// Positions that were; how they were rated and estimated as long as they were balanced: the units may differ.
    plain: usize,
    rated: i64,
    estimated: i64,
    /// Moves that were generated.
    seen: usize,
    forcing: bool,
    mixed: bool,
    /// Pieces that made a move that can be taken back.
    waits: [bool; PieceCode::COUNT_MAX],
    fields: usize,
}

impl Sample {
    fn new(info: &GameInfo, plainly: bool) -> Sample {
        let none = [0; PieceCode::COUNT_MAX];
        let fields = info.geometry.fields();
        Sample {
            gained: none,
            captured: none,
            changed: 0,
            moves: 0,
            plainly,
            plain: 0,
            rated: 0,
            estimated: 0,
            seen: 0,
            forcing: false,
            mixed: false,
            waits: [false; PieceCode::COUNT_MAX],
            fields,
        }
    }

    fn of_games<G: Game>(game: &G, start: &Position, plainly: bool) -> Result<Sample, RuleFault> {
        let mut sample = Sample::new(game.info(), plainly);
        let mut random = fastrand::Rng::with_seed(SEED);
        for number in 0..GAMES {
            match sample.play(game, start, &mut random) {
                // Rules that go wrong in some positions can be played in others; a search says so when it gets there.
                Err(fault) if number == 0 && sample.moves == 0 || fault.is_stopped() => return Err(fault),
                _ => {}
            }
        }
        Ok(sample)
    }

    fn says_nothing_plainly(&self) -> bool {
        self.plain > 0 && self.rated == 0
    }

    /// What tells best what a piece is worth.
    fn rate<G: Game>(&self, game: &G, position: &G::Position) -> Result<i32, RuleFault> {
        match game.evaluate_plainly(position)? {
            Some(plain) if self.plainly => Ok(plain),
            _ => game.evaluate(position),
        }
    }

    /// The same for the mover if the opponent were to move, as after any move: so that being to move counts neither
    /// way.
    fn rate_after_pass<G: Game>(&self, game: &G, position: &G::Position) -> Result<i32, RuleFault> {
        let mut passed = position.clone();
        if game.pass(&mut passed) { Ok(-self.rate(game, &passed)?) } else { self.rate(game, position) }
    }

    /// Plays a game at random, as far as it goes.
    fn play<G: Game>(
        &mut self,
        game: &G,
        start: &Position,
        random: &mut fastrand::Rng,
    ) -> Result<(), RuleFault> {
        let mut moves = MoveList::new();
        let mut position = game.pack(start);
        for ply in 0..PLIES {
            if game::stopping::is_requested() {
                return Err(RuleFault::stopped());
            }
            if self.seen > MOVES_MAX || game.generate(&position, Stage::All, &mut moves)?.is_some() {
                break;
            }
            self.seen += moves.len();
            let forcing = moves.iter().filter(|candidate| candidate.head.forcing()).count();
            self.forcing |= forcing > 0;
            self.mixed |= forcing > 0 && forcing < moves.len();
            let played = moves.get(random.usize(..moves.len()));
            if played.head.outcome().is_some() {
                break;
            }
            let (mover, before) = (game.mover(&position), self.rate_after_pass(game, &position)?);
            game.play(&mut position, played);
            let after = -self.rate(game, &position)?;
            if self.plainly && game.evaluate_plainly(&position)?.is_some() {
                self.plain += 1;
                if ply < BALANCED {
                    self.rated += i64::from(after).abs();
                    self.estimated += i64::from(game.evaluate(&position)?).abs();
                }
            }
            self.add(game.info(), played, mover, after.saturating_sub(before));
        }
        Ok(())
    }

    fn add(&mut self, info: &GameInfo, played: MoveView<'_>, mover: Colour, gain: i32) {
        let lead = played.changes.iter().find(|change| change.slot() == usize::from(played.head.lead));
        if let Some(lead) = lead.filter(|_| !played.head.irreversible()) {
            self.waits[code(lead.old())] = true;
        }
        self.changed += i64::from(gain).abs();
        self.moves += 1;
        let mut victims = played
            .changes
            .iter()
            .filter(|change| change.slot() < self.fields)
            .map(|change| PieceCode(code(change.old()) as u8))
            .filter(|&piece| info.colour_of(piece) == Some(mover.opponent()));
        // Only a single victim's worth can be told.
        if let (Some(victim), None) = (victims.next(), victims.next()) {
            self.gained[usize::from(victim.0)] += i64::from(gain);
            self.captured[usize::from(victim.0)] += 1;
        }
    }

    /// What was rated, in the units of estimates.
    fn in_units(&self, rate: i64) -> i64 {
        if self.rated > 0 { rate * self.estimated / self.rated } else { rate }
    }

    fn conclude(&self, info: &GameInfo, start: &Position) -> Knowledge {
        let mut knowledge =
            Knowledge { captures_are_optional: self.mixed || !self.forcing, ..Knowledge::default() };
        for piece in info.pieces.iter().filter(|piece| !piece.is_neutral()) {
            let codes = piece.codes.map(|code| usize::from(code.0));
            if codes.iter().any(|&code| self.waits[code]) {
                codes.iter().for_each(|&code| knowledge.waits[code] = true);
            }
            let captured: i64 = codes.iter().map(|&code| self.captured[code]).sum();
            if captured > 0 {
                let worth = codes.iter().map(|&code| self.gained[code]).sum::<i64>() / captured;
                let worth = self.in_units(worth).clamp(0, 1 << 20) as i32;
                (knowledge.worth[codes[0]], knowledge.worth[codes[1]]) = (worth, -worth);
            } else {
                let one_each = codes
                    .iter()
                    .all(|&code| start.fields().iter().filter(|&&piece| piece == code as i32).count() == 1);
                codes.iter().for_each(|&code| knowledge.royal[code] = one_each);
            }
        }
        let least = knowledge.worth.iter().copied().filter(|&worth| worth > 0).min();
        let mean = self.in_units(self.changed / self.moves.max(1)).min(1 << 20) as i32;
        // Where moves change more than a piece is worth, pieces are not what counts.
        knowledge.unit = least.unwrap_or(mean).max(mean);
        knowledge
    }
}

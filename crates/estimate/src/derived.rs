//! What pieces and counters are worth, learned from random games.

use game::{Colour, Field, Game, GameInfo, PieceCode, Position, PropertyKind, RuleFault};

use crate::playing::{self, Games, Sample};
use crate::regression::{Row, fit};

/// Changes whenever other values would be learned.
pub const VERSION: u32 = 1;

/// The score of a certain win, as far as random play can tell.
const SCALE: f64 = 4000.0;
/// So many positions must speak against what moves say about pieces.
const TRUST: f64 = 4000.0;
/// A row, and a field, is believed as if it had been average so often before.
const DOUBT: f64 = 200.0;

/// What a place adds to a piece at most, beside the worth of the piece itself.
const PLACE_MAX: f64 = 0.01;

/// An evaluation: the sum of what the pieces on their fields and the players' counters are worth to white.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// By piece code, then by field.
    pub(crate) pieces: Vec<i32>,
    /// By slot behind the fields: what each unit is worth.
    pub(crate) properties: Vec<i32>,
    pub(crate) fields: usize,
}

impl Derived {
    /// Plays at random from a position and sees what goes along with winning: having pieces, more so those that have many
    /// moves; having them far forward, or on certain fields; having much of what the rules count for each player.
    /// Deterministic: the same game, position and seed give the same evaluation with any generator. Costs some ten
    /// thousand move generations.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn learn<G: Game>(game: &G, start: &Position, seed: u64) -> Result<Derived, RuleFault> {
        let info = game.info();
        let games = playing::play(game, start, seed)?;
        let kinds = Kinds::new(info);
        let row = |sample: &Sample| Row {
            features: kinds.features(&sample.values),
            result: sample.result,
            weight: sample.weight,
        };
        let rows: Vec<Row> = games.samples.iter().map(row).collect();
        let weights = fit(&rows, &kinds.expected(&games), TRUST);
        let mut derived = Derived {
            pieces: vec![0; PieceCode::COUNT_MAX * info.geometry.fields()],
            properties: vec![0; info.stored_slots() - info.geometry.fields()],
            fields: info.geometry.fields(),
        };
        for (kind, property) in kinds.properties.iter().enumerate() {
            let worth = (SCALE * weights[kinds.pieces.len() + kind]) as i32;
            derived.properties[property - derived.fields] = worth;
            derived.properties[property + 1 - derived.fields] = -worth;
        }
        let left: Vec<f64> = rows
            .iter()
            .map(|Row { features, result, .. }| {
                result - features.iter().zip(&weights).map(|(feature, weight)| feature * weight).sum::<f64>()
            })
            .collect();
        derived.place_pieces(info, &kinds, &weights, &games, &left);
        Ok(derived)
    }

    /// What is `left` of the results when pieces are counted is explained by rows and fields.
    fn place_pieces(&mut self, info: &GameInfo, kinds: &Kinds, weights: &[f64], games: &Games, left: &[f64]) {
        for (kind, codes) in kinds.pieces.iter().enumerate() {
            for colour in Colour::BOTH {
                let code = usize::from(codes[colour.index()].0);
                let sign = if colour == Colour::White { 1.0 } else { -1.0 };
                let mut by_row = vec![(0.0, 0.0); info.geometry.rows() + 1];
                let mut by_field = vec![(0.0, 0.0); self.fields];
                for (sample, left) in games.samples.iter().zip(left) {
                    let here = sample.values[..self.fields].iter().enumerate();
                    for (field, _) in here.filter(|&(_, &value)| value as usize == code) {
                        for (count, sum) in
                            [&mut by_row[info.geometry.row(field as Field)], &mut by_field[field]]
                        {
                            *count += sample.weight;
                            *sum += sample.weight * left;
                        }
                    }
                }
                let total = by_row.iter().fold((0.0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
                let mean = total.1 / f64::max(total.0, 1e-9);
                for field in 0..self.fields {
                    let (count, sum) = by_row[info.geometry.row(field as Field)];
                    let row = (sum + DOUBT * mean) / (count + DOUBT);
                    let (count, sum) = by_field[field];
                    let place = (sum + DOUBT * row) / (count + DOUBT) - mean;
                    // A few games by chance must not make a pawn worth a queen.
                    let most = weights[kind].abs() + PLACE_MAX;
                    let worth = sign * weights[kind] + place.clamp(-most, most);
                    self.pieces[code * self.fields + field] = (SCALE * worth) as i32;
                }
            }
        }
    }

    /// What a value in a slot is worth to white.
    #[inline]
    pub(crate) fn worth(&self, slot: usize, value: i32) -> i32 {
        if slot < self.fields {
            self.pieces[(value as usize & (PieceCode::COUNT_MAX - 1)) * self.fields + slot]
        } else {
            let unit = self.properties.get(slot - self.fields).copied().unwrap_or(0);
            unit.saturating_mul(value)
        }
    }

    /// What a position is worth to white.
    #[must_use]
    pub fn total(&self, position: &Position) -> i32 {
        let slots = self.fields + self.properties.len();
        (0..slots).fold(0, |sum: i32, slot| sum.wrapping_add(self.worth(slot, position.get(slot))))
    }
}

/// What is counted: pieces of each kind and properties of players, white's minus black's.
struct Kinds {
    pieces: Vec<[PieceCode; 2]>,
    /// The slot of white's value; black's is the next one.
    properties: Vec<usize>,
    fields: usize,
}

impl Kinds {
    fn new(info: &GameInfo) -> Kinds {
        let own = info.pieces.iter().filter(|piece| !piece.is_neutral());
        let counted = info.properties.iter().filter(|property| property.kind == PropertyKind::Player);
        Kinds {
            pieces: own.map(|piece| piece.codes).collect(),
            properties: counted.map(|property| property.slot).collect(),
            fields: info.geometry.fields(),
        }
    }

    fn features(&self, values: &[i32]) -> Vec<f64> {
        let count = |code: PieceCode| {
            values[..self.fields].iter().filter(|&&value| value == i32::from(code.0)).count() as f64
        };
        let pieces = self.pieces.iter().map(|codes| count(codes[0]) - count(codes[1]));
        let properties = self.properties.iter().map(|&slot| f64::from(values[slot] - values[slot + 1]));
        pieces.chain(properties).collect()
    }

    /// Before any game is won, pieces are worth what they can do.
    fn expected(&self, games: &Games) -> Vec<f64> {
        let of = |codes: &[PieceCode; 2], counts: &[f64]| -> f64 {
            codes.iter().map(|code| counts[usize::from(code.0)]).sum()
        };
        let moves = self.pieces.iter().map(|codes| {
            let pieces = of(codes, &games.pieces);
            if pieces > 0.0 { 0.02 * of(codes, &games.moves) / pieces } else { 0.0 }
        });
        moves.chain(self.properties.iter().map(|_| 0.0)).collect()
    }
}

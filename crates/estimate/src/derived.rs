//! What pieces and counters are worth, learned from random games.

use game::{Field, Game, GameInfo, PieceCode, Position, PropertyKind, RuleFault};

use crate::playing::{self, Games, Sample};
use crate::regression::{Row, fit};

/// Changes whenever other values would be learned.
pub const VERSION: u32 = 2;

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
    /// Plays at random from a position and sees what goes along with winning: having pieces, more so those that have
    /// many moves; having them far forward, or on certain fields; having much of what the rules count for each
    /// player. Deterministic: the same game, position and seed give the same evaluation with any generator. Costs
    /// some ten thousand move generations.
    ///
    /// # Errors
    /// When the rules go wrong, or it is asked to end ([`game::stopping`]).
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
        let twins = twins(info, start);
        derived.place_pieces(info, &kinds, &weights, &games, &left, twins.as_deref());
        Ok(derived)
    }

    /// What is `left` of the results when pieces are counted is explained by rows and fields. Where the players have
    /// `twins` of each other's fields, both learn from what happened to either.
    fn place_pieces(
        &mut self,
        info: &GameInfo,
        kinds: &Kinds,
        weights: &[f64],
        games: &Games,
        left: &[f64],
        twins: Option<&[Field]>,
    ) {
        for (codes, &weight) in kinds.pieces.iter().zip(weights) {
            let [white, black] = codes.map(|code| code.0);
            let both = match twins {
                Some(twins) => {
                    let mut places = Places::new(info);
                    places.see(games, left, white, |field| (field, 1.0));
                    places.see(games, left, black, |field| (usize::from(twins[field]), -1.0));
                    let black_places =
                        (0..self.fields).map(|field| -places.worth(usize::from(twins[field]), weight));
                    [
                        (0..self.fields).map(|field| places.worth(field, weight)).collect::<Vec<_>>(),
                        black_places.collect(),
                    ]
                }
                None => [(white, 1.0), (black, -1.0)].map(|(code, sign)| {
                    let mut places = Places::new(info);
                    places.see(games, left, code, |field| (field, sign));
                    (0..self.fields).map(|field| sign * places.worth(field, weight)).collect()
                }),
            };
            for (code, worth) in [white, black].into_iter().zip(both) {
                let row = &mut self.pieces[usize::from(code) * self.fields..][..self.fields];
                row.iter_mut().zip(worth).for_each(|(place, worth)| *place = (SCALE * worth) as i32);
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

/// How results went along with a piece of some kind on each field, seen by its owner.
struct Places<'info> {
    info: &'info GameInfo,
    /// Weight and weighted sum of what was left of the results.
    by_row: Vec<(f64, f64)>,
    by_field: Vec<(f64, f64)>,
}

impl Places<'_> {
    fn new(info: &GameInfo) -> Places<'_> {
        Places {
            info,
            by_row: vec![(0.0, 0.0); info.geometry.rows() + 1],
            by_field: vec![(0.0, 0.0); info.geometry.fields()],
        }
    }

    /// Adds all pieces with this code; `view` says which field that is for the owner, and the sign of the owner's
    /// results.
    fn see(&mut self, games: &Games, left: &[f64], code: u8, view: impl Fn(usize) -> (usize, f64)) {
        for (sample, left) in games.samples.iter().zip(left) {
            let here = sample.values[..self.by_field.len()].iter().enumerate();
            for (field, _) in here.filter(|&(_, &value)| value == i32::from(code)) {
                let (field, sign) = view(field);
                let row = self.info.geometry.row(field as Field);
                for (count, sum) in [&mut self.by_row[row], &mut self.by_field[field]] {
                    *count += sample.weight;
                    *sum += sample.weight * left * sign;
                }
            }
        }
    }

    /// The worth of a piece on a field to its owner, if such pieces are worth this much.
    fn worth(&self, field: usize, weight: f64) -> f64 {
        let total = self.by_row.iter().fold((0.0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
        let mean = total.1 / f64::max(total.0, 1e-9);
        let (count, sum) = self.by_row[self.info.geometry.row(field as Field)];
        let row = (sum + DOUBT * mean) / (count + DOUBT);
        let (count, sum) = self.by_field[field];
        let place = (sum + DOUBT * row) / (count + DOUBT) - mean;
        // A few games by chance must not make a pawn worth a queen.
        let most = weight.abs() + PLACE_MAX;
        weight + place.clamp(-most, most)
    }
}

/// For each field the one that is the same to the other player: across the board, or straight opposite, whichever the
/// start shows. None where the players begin differently, or with an empty board.
fn twins(info: &GameInfo, start: &Position) -> Option<Vec<Field>> {
    let geometry = &info.geometry;
    let across: Vec<Field> = (0..geometry.fields()).map(|field| geometry.rotated(field as Field)).collect();
    let opposite: Option<Vec<Field>> = (0..geometry.fields())
        .map(|field| {
            let (column, row) = (geometry.column(field as Field), geometry.row(field as Field));
            geometry.at(column as i64, (geometry.rows() + 1 - row) as i64)
        })
        .collect();
    let exchanged = |code: i32| {
        let own = |codes: &[PieceCode; 2]| codes.iter().position(|own| i32::from(own.0) == code);
        let found = info.pieces.iter().find_map(|piece| Some(piece.codes[1 - own(&piece.codes)?]));
        found.map_or(code, |code| i32::from(code.0))
    };
    let fields = start.fields();
    let has_pieces = fields.iter().any(|&code| info.colour_of(PieceCode(code as u8)).is_some());
    let alike = |twins: &Vec<Field>| {
        fields.iter().zip(twins).all(|(&code, &twin)| exchanged(code) == fields[usize::from(twin)])
    };
    [Some(across), opposite].into_iter().flatten().find(|twins| has_pieces && alike(twins))
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

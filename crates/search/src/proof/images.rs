//! The images of a line of positions under the symmetries of the game. Of a position and its images the one with the
//! least signature stands for all of them in the table; a move is remembered as that one sees it.

use game::{Game, GameInfo, MoveView, Signature, Symmetry};
use table::MoveTag;

/// How the position that is kept in the table relates to the one that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// It is the same.
    Plain,
    /// It is the image under the symmetry with this number.
    Image(usize),
}

/// The signatures of the images of each position of a line.
#[derive(Clone)]
pub(super) struct Images<'game> {
    info: &'game GameInfo,
    symmetries: Vec<Symmetry>,
    /// One for each symmetry, for one position after the other.
    signatures: Vec<Signature>,
}

impl<'game> Images<'game> {
    /// For lines that begin at a position.
    pub(super) fn new<G: Game>(game: &'game G, position: &G::Position) -> Images<'game> {
        let (info, plain, symmetries) = (game.info(), game.unpack(position), game.symmetries());
        let signature = |symmetry: &Symmetry| symmetry.position(info, &plain).signature();
        let signatures = symmetries.iter().map(signature).collect();
        Images { info, symmetries, signatures }
    }

    fn last(&self) -> &[Signature] {
        &self.signatures[self.signatures.len() - self.symmetries.len()..]
    }

    /// The line goes on.
    pub(super) fn push(&mut self, played: MoveView<'_>) {
        let start = self.signatures.len() - self.symmetries.len();
        for (index, symmetry) in self.symmetries.iter().enumerate() {
            let image = self.signatures[start + index] ^ symmetry.difference(self.info, played);
            self.signatures.push(image);
        }
    }

    /// The last step is taken back.
    pub(super) fn pop(&mut self) {
        self.signatures.truncate(self.signatures.len() - self.symmetries.len());
    }

    /// What stands for the last position of the line, whose signature is given.
    pub(super) fn least(&self, signature: Signature) -> (Signature, View) {
        let mut least = (signature, View::Plain);
        for (index, &image) in self.last().iter().enumerate() {
            if image < least.0 {
                least = (image, View::Image(index));
            }
        }
        least
    }

    /// What stands for the position after a move from the last one, whose signature is given.
    pub(super) fn least_after(&self, signature: Signature, played: MoveView<'_>) -> Signature {
        let images = self.last().iter().zip(&self.symmetries);
        images
            .map(|(&image, symmetry)| image ^ symmetry.difference(self.info, played))
            .fold(signature ^ played.head.signature_difference, Signature::min)
    }

    /// How a move of the last position is remembered.
    pub(super) fn tag(&self, view: View, played: MoveView<'_>) -> MoveTag {
        MoveTag::of(match view {
            View::Plain => played.head.signature_difference,
            View::Image(index) => self.symmetries[index].difference(self.info, played),
        })
    }
}

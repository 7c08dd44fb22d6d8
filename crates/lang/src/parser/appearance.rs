//! The section `appearance`.

use super::{Parser, Reading};
use crate::appearance::{Appearance, COLOURS, PieceAppearance, SHAPES};
use crate::lexer::TokenKind;

impl Parser<'_> {
    /// `board : points`, `edges : white north, black east` or `piece : shape, colours, 'X'`
    pub(super) fn appearance(&mut self, appearance: &mut Appearance) -> Reading<()> {
        let name = self.name("`board`, `edges` or the name of a piece")?;
        self.expect_in(":", "such as `board : hexagons` or `king : crowned, red, blue`")?;
        match name.value.as_str() {
            "board" => {
                let board = self.name("how the board is drawn, such as `points`")?;
                self.once(appearance.board.is_some(), name.span, "board");
                appearance.board = Some(board);
            }
            "edges" => loop {
                let owner = self.name("`white` or `black`")?;
                appearance.edges.push((owner, self.name("`north`, `east`, `south` or `west`")?));
                if !self.accept(",") {
                    break;
                }
            },
            _ => {
                let mut piece = PieceAppearance {
                    name,
                    shape: None,
                    colours: Vec::new(),
                    labels: Vec::new(),
                    unknown: Vec::new(),
                };
                self.piece_appearance(&mut piece)?;
                while self.accept(",") {
                    self.piece_appearance(&mut piece)?;
                }
                appearance.pieces.push(piece);
            }
        }
        Ok(())
    }

    fn piece_appearance(&mut self, piece: &mut PieceAppearance) -> Reading<()> {
        if matches!(self.token().kind, TokenKind::Character(_)) {
            let label = self.character()?;
            self.once(piece.labels.len() > 1, label.span, "third character");
            piece.labels.push(label);
            return Ok(());
        }
        let word = self.name("a shape, a colour or a character in quotes")?;
        if SHAPES.contains(&word.value.as_str()) && piece.shape.is_none() {
            piece.shape = Some(word);
        } else if COLOURS.contains(&word.value.as_str()) && piece.colours.len() < 2 {
            piece.colours.push(word);
        } else {
            piece.unknown.push(word);
        }
        Ok(())
    }
}

//! A text that is edited in several steps, with the splices from the original to the current text.
//!
//! Some edits need their own intermediate result, such as a reference to a task that gets its id on
//! the way. They are made step by step; the result is one list of splices on the original text.

use super::{EditError, Splice, apply};
use crate::model::Span;

/// A part of the current text.
#[derive(Debug, Clone)]
enum Piece {
    /// Bytes of the original text.
    Kept(Span),
    /// New bytes.
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Kept(span) => span.len(),
            Self::New(text) => text.len(),
        }
    }

    /// Splits the piece at an offset.
    fn cut(self, at: usize) -> (Self, Self) {
        match self {
            Self::Kept(span) => {
                let middle = span.start + at;
                (Self::Kept(span.start..middle), Self::Kept(middle..span.end))
            }
            Self::New(mut text) => {
                let tail = text.split_off(at);
                (Self::New(text), Self::New(tail))
            }
        }
    }
}

/// A text being edited.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// The current text.
    pub(super) text: String,
    pieces: Vec<Piece>,
    /// The length of the original text.
    first: usize,
}

impl Draft {
    /// Creates a draft of a text.
    pub(super) fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            pieces: vec![Piece::Kept(0..text.len())],
            first: text.len(),
        }
    }

    /// Applies splices to the current text.
    pub(super) fn change(&mut self, splices: &[Splice]) -> Result<(), EditError> {
        if splices.is_empty() {
            return Ok(());
        }
        let applied = apply(&self.text, splices)?;
        let mut ordered: Vec<&Splice> = splices.iter().collect();
        ordered.sort_by_key(|splice| (splice.range.start, splice.range.end));
        let mut rest = std::mem::take(&mut self.pieces).into_iter();
        let mut head = rest.next();
        let mut pieces = Vec::new();
        let mut at = 0;
        // Advances over the old pieces up to `until`, and moves them to `keep` if it is given.
        let mut take = |at: &mut usize, until: usize, mut keep: Option<&mut Vec<Piece>>| {
            while *at < until {
                let Some(piece) = head.take() else { return };
                let length = piece.len();
                let piece = if *at + length <= until {
                    head = rest.next();
                    piece
                } else {
                    let (before, after) = piece.cut(until - *at);
                    head = Some(after);
                    before
                };
                *at += piece.len();
                if let Some(keep) = keep.as_deref_mut() {
                    keep.push(piece);
                }
            }
        };
        for splice in ordered {
            take(&mut at, splice.range.start, Some(&mut pieces));
            take(&mut at, splice.range.end, None);
            pieces.push(Piece::New(splice.text.clone()));
        }
        take(&mut at, self.text.len(), Some(&mut pieces));
        self.pieces = pieces;
        self.text = applied.text;
        Ok(())
    }

    /// The splices from the original to the current text.
    pub(super) fn splices(&self) -> Vec<Splice> {
        let mut splices: Vec<Splice> = Vec::new();
        let mut at = 0;
        let mut new = String::new();
        let mut emit = |range: Span, new: &mut String| {
            if !range.is_empty() || !new.is_empty() {
                splices.push(Splice {
                    range,
                    text: std::mem::take(new),
                });
            }
        };
        for piece in &self.pieces {
            match piece {
                Piece::Kept(span) if span.is_empty() => {}
                Piece::Kept(span) => {
                    emit(at..span.start, &mut new);
                    at = span.end;
                }
                Piece::New(text) => new.push_str(text),
            }
        }
        emit(at..self.first, &mut new);
        splices
    }
}

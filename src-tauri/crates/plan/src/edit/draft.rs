//! A text that is changed in steps, with the splices that lead from the first text to the last.
//!
//! A change that must look at its own result (a reference to a task that gets its id on the way)
//! is made step by step; what leaves is one list of splices on the text it began with.

use super::{EditError, Splice, apply};
use crate::model::Span;

/// A part of the text as it stands now.
#[derive(Debug, Clone)]
enum Piece {
    /// Bytes of the first text.
    Kept(Span),
    /// Bytes that were not there.
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Kept(span) => span.len(),
            Self::New(text) => text.len(),
        }
    }

    /// The two sides of a cut inside the piece.
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

/// A text under change.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// The text as it stands now.
    pub(super) text: String,
    pieces: Vec<Piece>,
    /// The length of the first text.
    first: usize,
}

impl Draft {
    /// Begins with a text.
    pub(super) fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            pieces: vec![Piece::Kept(0..text.len())],
            first: text.len(),
        }
    }

    /// Makes one more step; its splices are those of the text as it stands now.
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
        // Takes what lies before `until` off the old pieces.
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

    /// The splices that lead from the first text to this one.
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

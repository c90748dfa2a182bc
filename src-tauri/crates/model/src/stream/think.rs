//! Separates reasoning from text for servers that put both in one field.
//!
//! Only a block at the very start of an answer, or right after another block, is reasoning; a tag
//! mentioned later is text. An unclosed block is reasoning to its end, so that nothing in it is
//! mistaken for a call.

/// The tags that models use.
const TAGS: [(&str, &str); 3] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
];

/// Maximum bytes of whitespace before a tag; with more, it isn't from a model's template.
const MAX_BLANKS: usize = 1_024;

/// A piece of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Thinking(String),
}

#[derive(Debug)]
enum State {
    /// Only whitespace since the start of the answer or since the last block.
    Start,
    /// In a block that ends with this tag.
    Inside(&'static str),
    /// In text, which lasts to the end.
    Text,
}

/// The parser's state between pieces of text.
#[derive(Debug)]
pub(super) struct Think {
    state: State,
    /// A possible start of a tag, or whitespace before one.
    held: String,
    was_block: bool,
}

impl Default for Think {
    fn default() -> Self {
        Self {
            state: State::Start,
            held: String::new(),
            was_block: false,
        }
    }
}

impl Think {
    /// Adds the pieces that can be classified after `text`.
    pub(super) fn push(&mut self, text: &str, out: &mut Vec<Piece>) {
        if matches!(self.state, State::Text) {
            out.push(Piece::Text(text.to_owned()));
            return;
        }
        self.held.push_str(text);
        loop {
            match self.state {
                State::Start => {
                    let word = self.held.trim_start();
                    if let Some((open, close)) = TAGS.iter().find(|tag| word.starts_with(tag.0)) {
                        self.held = word.get(open.len()..).unwrap_or_default().to_owned();
                        self.state = State::Inside(close);
                        self.was_block = true;
                        continue;
                    }
                    let may_begin = TAGS.iter().any(|tag| tag.0.starts_with(word));
                    if may_begin && self.held.len() <= MAX_BLANKS {
                        return;
                    }
                    self.state = State::Text;
                    let text = self.rest();
                    out.push(Piece::Text(text));
                    return;
                }
                State::Inside(close) => {
                    if let Some(at) = self.held.find(close) {
                        let after = self.held.split_off(at);
                        think(out, std::mem::take(&mut self.held));
                        self.held = after.get(close.len()..).unwrap_or_default().to_owned();
                        self.state = State::Start;
                        continue;
                    }
                    let keep = beginning_at_end(&self.held, close);
                    let kept = self.held.split_off(self.held.len() - keep);
                    think(out, std::mem::replace(&mut self.held, kept));
                    return;
                }
                State::Text => return,
            }
        }
    }

    /// Adds the remainder at the end of the answer.
    pub(super) fn finish(&mut self, out: &mut Vec<Piece>) {
        match self.state {
            State::Inside(_) => think(out, std::mem::take(&mut self.held)),
            State::Start => {
                let rest = self.rest();
                if !rest.is_empty() {
                    out.push(Piece::Text(rest));
                }
            }
            State::Text => {}
        }
    }

    /// Takes the held text. Whitespace between a block and the answer is dropped.
    fn rest(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        if self.was_block {
            held.trim_start().to_owned()
        } else {
            held
        }
    }
}

fn think(out: &mut Vec<Piece>, text: String) {
    if !text.is_empty() {
        out.push(Piece::Thinking(text));
    }
}

/// Number of bytes at the end of `text` that may be the start of `tag`.
fn beginning_at_end(text: &str, tag: &str) -> usize {
    (1..tag.len())
        .rev()
        .find(|length| tag.get(..*length).is_some_and(|part| text.ends_with(part)))
        .unwrap_or(0)
}

/// Splits an answer that has a closing tag but no opening one, as happens if the template puts the
/// opening tag into the prompt.
pub(super) fn orphan(text: &str) -> Option<(&str, &str)> {
    let (thinking, rest) = text.split_once("</think>")?;
    let is_only = !text.contains("<think>") && !rest.contains("</think>");
    is_only.then(|| (thinking, rest.trim_start()))
}

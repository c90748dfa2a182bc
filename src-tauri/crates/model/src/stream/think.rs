//! Tells thinking from text where a server leaves both in one field.
//!
//! Only a block at the very start of an answer, or right after another one, is thinking: a text
//! that speaks of the tag later on stays text. A block that is never closed is thinking to its end,
//! so that nothing in it is taken for a call.

/// The tags that models use.
const TAGS: [(&str, &str); 3] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
];

/// More blanks than this before a tag, in bytes, and it is no tag that a model's template made.
const MAX_BLANKS: usize = 1_024;

/// A piece of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Thinking(String),
}

#[derive(Debug)]
enum State {
    /// Nothing but blanks so far since the start or since a block.
    Start,
    /// In a block that ends with this tag.
    Inside(&'static str),
    /// In text, which lasts to the end.
    Text,
}

/// The state between two pieces.
#[derive(Debug)]
pub(super) struct Think {
    state: State,
    /// What may be the beginning of a tag, or blanks before one.
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
    /// The pieces that are certain after `text`.
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

    /// What is left when nothing more comes.
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

    /// The held text; blanks between a block and the answer belong to neither.
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

/// How many bytes at the end of `text` may be the beginning of `tag`.
fn beginning_at_end(text: &str, tag: &str) -> usize {
    (1..tag.len())
        .rev()
        .find(|length| tag.get(..*length).is_some_and(|part| text.ends_with(part)))
        .unwrap_or(0)
}

/// Splits an answer whose opening tag stood in the prompt, as some templates have it: one closing
/// tag and no opening one.
pub(super) fn orphan(text: &str) -> Option<(&str, &str)> {
    let (thinking, rest) = text.split_once("</think>")?;
    let is_only = !text.contains("<think>") && !rest.contains("</think>");
    is_only.then(|| (thinking, rest.trim_start()))
}

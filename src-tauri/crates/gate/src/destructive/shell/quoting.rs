//! Parses quotes and `$` expansions. Quotes are removed; expansions stay in the word as written,
//! and commands inside them count as commands.

use super::{BEGIN, END, MAX_DEPTH, Reader, SimpleCommand, read};

impl Reader {
    pub(super) fn quoted(&mut self) {
        self.begin_word();
        while let Some(letter) = self.next() {
            match letter {
                '"' => return,
                '\\' => match self.next() {
                    Some(next @ ('"' | '\\' | '$' | '`')) => self.push(next),
                    Some('\n') | None => {}
                    Some(other) => {
                        self.push('\\');
                        self.push(other);
                    }
                },
                '$' => self.expansion(),
                '`' => self.back_ticks(),
                other => self.push(other),
            }
        }
    }

    /// Parses what follows `$`: it stays in the word as written, and commands inside it count.
    pub(super) fn expansion(&mut self) {
        self.push('$');
        let (open, close) = match self.peek() {
            Some('(') => ('(', ')'),
            Some('{') => ('{', '}'),
            _ => return,
        };
        let first = self.at + 1;
        let mut nesting = 0_usize;
        while let Some(letter) = self.next() {
            self.push(letter);
            if letter == open {
                nesting += 1;
            } else if letter == close {
                nesting -= 1;
                if nesting == 0 {
                    break;
                }
            }
        }
        let last = self.at.saturating_sub(1).max(first);
        // `$((1 + 2))` is arithmetic.
        if open == '(' && self.letters.get(first) != Some(&'(') {
            self.inside(first, last);
        } else {
            let inner: String = self.letters[first..last].iter().collect();
            self.nested(&inner);
        }
    }

    /// Finds the commands in text where only `$` and backticks are special: here-documents, `${…}`
    /// and arithmetic.
    pub(super) fn nested(&mut self, text: &str) {
        if self.depth > MAX_DEPTH {
            // Nesting this deep isn't accidental, so the text is treated as a command.
            self.found.extend(read(text, self.depth));
            return;
        }
        let mut inner = Reader::of(text, self.depth + 1);
        while let Some(letter) = inner.next() {
            match letter {
                '\\' => _ = inner.next(),
                '$' => inner.expansion(),
                '`' => inner.back_ticks(),
                _ => {}
            }
        }
        self.found.extend(inner.found);
    }

    /// Parses what follows `$'`, where letters may be written as numeric escapes.
    pub(super) fn ansi_quoted(&mut self) {
        self.begin_word();
        while let Some(letter) = self.next().filter(|letter| *letter != '\'') {
            let letter = match letter {
                '\\' => match self.next() {
                    Some('x') => self.number(16, 2),
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some(digit @ '0'..='7') => {
                        self.at -= usize::from(digit.is_ascii_digit());
                        self.number(8, 3)
                    }
                    Some(other) => other,
                    None => return,
                },
                other => other,
            };
            self.push(letter);
        }
    }

    fn number(&mut self, radix: u32, most: usize) -> char {
        let mut value = 0;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|letter| letter.to_digit(radix)) else {
                break;
            };
            value = value * radix + digit;
            self.at += 1;
        }
        char::from_u32(value).unwrap_or(' ')
    }

    pub(super) fn back_ticks(&mut self) {
        let first = self.at;
        self.push('`');
        while let Some(letter) = self.next() {
            self.push(letter);
            if letter == '`' {
                break;
            }
        }
        let last = self.at.saturating_sub(1).max(first);
        self.inside(first, last);
    }

    fn inside(&mut self, first: usize, last: usize) {
        let inner: String = self.letters[first..last].iter().collect();
        // The enclosing command hasn't ended yet, so the nested ones come first.
        self.found.push(SimpleCommand::border(BEGIN));
        self.found.extend(read(&inner, self.depth + 1));
        self.found.push(SimpleCommand::border(END));
    }
}

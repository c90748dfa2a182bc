//! Command lines read far enough to see which programs they start, with which words.
//!
//! This is no shell: nothing is expanded and nothing is carried out. It errs towards seeing a command:
//! what stands in `$(…)`, in back-ticks, behind `&&`, `|` and `;`, in a loop or in a subshell is a
//! command like any other. Comments and quoted words are none. Quotes that do not close end with the
//! line.

/// Nested further than this, a line is not looked into.
const DEEPEST: usize = 8;

/// One program with its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    /// Program and arguments, quotes taken off.
    pub(super) words: Vec<String>,
    /// Files that are emptied and written: `> file`.
    pub(super) over: Vec<String>,
    /// What is fed to it as text: `<<` and `<<<`.
    pub(super) text: String,
    /// The words of the command whose output it reads.
    pub(super) from: Vec<String>,
}

/// The commands of a shell line, in order; those inside others stand before them.
pub(super) fn commands(line: &str) -> Vec<Simple> {
    read(line, 0)
}

fn read(line: &str, depth: usize) -> Vec<Simple> {
    if depth > DEEPEST {
        return Vec::new();
    }
    let mut reader = Reader {
        letters: line.chars().collect(),
        at: 0,
        depth,
        word: None,
        now: Simple::default(),
        is_piped: false,
        bodies: Vec::new(),
        found: Vec::new(),
    };
    reader.run();
    reader.found
}

/// Where the next word goes.
enum Target {
    Word,
    Over,
    Nowhere,
    Text,
}

struct Reader {
    letters: Vec<char>,
    at: usize,
    depth: usize,
    /// The word at work; a quoted one may be empty.
    word: Option<String>,
    now: Simple,
    /// The command at work reads what the one before writes.
    is_piped: bool,
    /// Ends of texts that begin on the next line.
    bodies: Vec<String>,
    found: Vec<Simple>,
}

impl Reader {
    fn run(&mut self) {
        let mut target = Target::Word;
        while let Some(letter) = self.next() {
            match letter {
                ' ' | '\t' | '\r' => target = self.end_word(target),
                '\n' => {
                    target = self.end_word(target);
                    self.end_command(false);
                    self.skip_bodies();
                }
                '#' if self.word.is_none() => self.skip_to_line_end(),
                '\\' => {
                    if let Some(next) = self.next()
                        && next != '\n'
                    {
                        self.push(next);
                    }
                }
                '\'' => {
                    self.begin_word();
                    while let Some(letter) = self.next().filter(|letter| *letter != '\'') {
                        self.push(letter);
                    }
                }
                '"' => self.quoted(),
                '$' => self.expansion(),
                '`' => self.back_ticks(),
                '|' => {
                    target = self.end_word(target);
                    let is_or = self.take('|');
                    self.take('&');
                    self.end_command(!is_or);
                }
                '&' if self.peek() == Some('>') => {
                    target = self.end_word(target);
                    self.next();
                    target = self.behind_greater(target);
                }
                ';' | '&' | '(' | ')' => {
                    target = self.end_word(target);
                    self.end_command(false);
                }
                '>' => {
                    let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
                    if self.word.as_ref().is_some_and(is_number) {
                        self.word = None;
                    }
                    target = self.end_word(target);
                    target = self.behind_greater(target);
                }
                '<' => {
                    self.end_word(target);
                    target = self.behind_less();
                }
                other => self.push(other),
            }
        }
        self.end_word(target);
        self.end_command(false);
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn begin_word(&mut self) -> &mut String {
        self.word.get_or_insert_default()
    }

    fn push(&mut self, letter: char) {
        self.begin_word().push(letter);
    }

    fn end_word(&mut self, target: Target) -> Target {
        let Some(word) = self.word.take() else {
            return target;
        };
        match target {
            Target::Word => self.now.words.push(word),
            Target::Over => self.now.over.push(word),
            Target::Text => self.now.text.push_str(&word),
            Target::Nowhere => {}
        }
        Target::Word
    }

    fn end_command(&mut self, feeds_next: bool) {
        let mut ended = std::mem::take(&mut self.now);
        if self.is_piped {
            ended.from = self
                .found
                .last()
                .map(|before| before.words.clone())
                .unwrap_or_default();
        }
        let is_empty = ended.words.is_empty() && ended.over.is_empty();
        self.is_piped = feeds_next && !is_empty;
        if !is_empty {
            self.found.push(ended);
        }
    }

    /// Behind `>`: `>>` keeps what is there, `>&1` is no file.
    fn behind_greater(&mut self, target: Target) -> Target {
        if self.take('>') {
            return Target::Nowhere;
        }
        if self.take('&') {
            let is_copy = self
                .peek()
                .is_some_and(|next| next.is_ascii_digit() || next == '-');
            if is_copy {
                while self
                    .peek()
                    .is_some_and(|next| next.is_ascii_digit() || next == '-')
                {
                    self.at += 1;
                }
                return target;
            }
        }
        if self.peek() == Some('(') {
            return Target::Word;
        }
        self.take('|');
        Target::Over
    }

    /// Behind `<`.
    fn behind_less(&mut self) -> Target {
        if !self.take('<') {
            self.take('&');
            return match self.peek() {
                Some('(') => Target::Word,
                _ => Target::Nowhere,
            };
        }
        if self.take('<') {
            return Target::Text;
        }
        self.take('-');
        while self.peek().is_some_and(|next| next == ' ' || next == '\t') {
            self.at += 1;
        }
        let mut end = String::new();
        while let Some(letter) = self.peek() {
            if letter.is_whitespace() || matches!(letter, ';' | '|' | '&' | '>' | '<' | ')') {
                break;
            }
            self.at += 1;
            if !matches!(letter, '\'' | '"' | '\\') {
                end.push(letter);
            }
        }
        self.bodies.push(end);
        Target::Word
    }

    /// The texts that were announced on the line that has ended belong to the command before.
    fn skip_bodies(&mut self) {
        for end in std::mem::take(&mut self.bodies) {
            let mut text = String::new();
            while self.at < self.letters.len() {
                let line: String = self.letters[self.at..]
                    .iter()
                    .take_while(|letter| **letter != '\n')
                    .collect();
                self.at = (self.at + line.chars().count() + 1).min(self.letters.len());
                if line.trim() == end {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            if let Some(last) = self.found.last_mut() {
                last.text.push_str(&text);
            }
        }
    }

    fn skip_to_line_end(&mut self) {
        while self.peek().is_some_and(|letter| letter != '\n') {
            self.at += 1;
        }
    }

    fn quoted(&mut self) {
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

    /// Behind `$`: kept in the word as it is written; the commands inside count.
    fn expansion(&mut self) {
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
        // `$((1 + 2))` is arithmetic.
        if open == '(' && self.letters.get(first) != Some(&'(') {
            let last = self.at.saturating_sub(1).max(first);
            self.inside(first, last);
        }
    }

    fn back_ticks(&mut self) {
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
        let inner = read(&inner, self.depth + 1);
        // What a pipe reads from is the command before it, so those inside go in front.
        self.found.splice(0..0, inner);
    }
}

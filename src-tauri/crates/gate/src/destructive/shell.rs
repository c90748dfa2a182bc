//! Parses command lines just far enough to see which programs they start, and with which words.
//!
//! This is not a shell: it expands and runs nothing. It errs on the side of finding commands,
//! including those in `$(…)`, in backticks, after `&&`, `|` and `;`, in loops and in subshells.
//! Comments and quoted words are not commands. An unclosed quote ends with the line.

mod quoting;

/// The word that represents `<(…)`: the output of commands, read as a file.
pub(super) const OUTPUT_OF: &str = "<(";

/// Words that mark the start and end of a subshell.
const BEGIN: &str = "(";
const END: &str = ")";

/// Maximum nesting depth; anything deeper is treated as a separate line.
const MAX_DEPTH: usize = 8;

/// A single program with its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SimpleCommand {
    /// Program and arguments, unquoted.
    pub(super) words: Vec<String>,
    /// Files that are truncated and written: `> file`.
    pub(super) over: Vec<String>,
    /// The text of its here-documents and here-strings: `<<` and `<<<`.
    pub(super) text: String,
    /// The words of the command whose output it reads.
    pub(super) from: Vec<String>,
}

impl SimpleCommand {
    /// Whether a subshell starts here. Changes to the current folder end with it.
    pub(super) fn is_begin(&self) -> bool {
        self.words == [BEGIN]
    }

    /// Whether a subshell ends here.
    pub(super) fn is_end(&self) -> bool {
        self.words == [END]
    }

    /// The input that the line itself contains.
    pub(super) fn input(&self) -> String {
        let printed = match self.from.split_first() {
            Some((program, words)) if program == "echo" => words.join(" "),
            Some((program, words)) if program == "printf" => words.join("\n").replace("\\n", "\n"),
            _ => String::new(),
        };
        format!("{}{printed}", self.text)
    }

    /// Whether it reads another program's output, which can't be inspected. Reading a file doesn't
    /// count.
    pub(super) fn has_uninspectable_input(&self) -> bool {
        let printer = self.from.first().map(|program| program.rsplit('/').next());
        let is_seen = |name: Option<&str>| matches!(name, Some("echo" | "printf" | "cat"));
        self.text.is_empty() && printer.is_some_and(|name| !is_seen(name))
    }

    fn border(word: &str) -> Self {
        Self {
            words: vec![word.to_owned()],
            ..Self::default()
        }
    }
}

/// The commands of a shell line in order. Nested commands come before the enclosing one, between
/// the markers of their subshells.
pub(super) fn commands(line: &str) -> Vec<SimpleCommand> {
    read(line, 0)
}

/// Whether a line is a single command.
pub(super) fn is_alone(line: &str) -> bool {
    let commands = commands(line);
    let borders = |one: &&SimpleCommand| !one.is_begin() && !one.is_end();
    commands.iter().filter(borders).count() == 1
}

fn read(line: &str, depth: usize) -> Vec<SimpleCommand> {
    if depth > MAX_DEPTH {
        // Callers that follow nested commands parse this line too, up to their own limit.
        let words = ["sh", "-c", line].map(str::to_owned).to_vec();
        return vec![SimpleCommand {
            words,
            ..SimpleCommand::default()
        }];
    }
    let mut reader = Reader::of(line, depth);
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
    /// Whether a list is open: `NAME=(a b)` is one word.
    in_list: bool,
    /// The current word; a quoted one may be empty.
    word: Option<String>,
    now: SimpleCommand,
    /// The words of the command whose output the current one reads.
    fed: Option<Vec<String>>,
    /// End markers of here-documents that start on the next line, and whether commands in them run.
    bodies: Vec<(String, bool)>,
    found: Vec<SimpleCommand>,
}

impl Reader {
    fn of(text: &str, depth: usize) -> Self {
        Self {
            letters: text.chars().collect(),
            at: 0,
            depth,
            in_list: false,
            word: None,
            now: SimpleCommand::default(),
            fed: None,
            bodies: Vec::new(),
            found: Vec::new(),
        }
    }

    fn run(&mut self) {
        let mut target = Target::Word;
        while let Some(letter) = self.next() {
            match letter {
                ' ' | '\t' | '\r' | '\n' if self.in_list => self.push(' '),
                '(' if self.word.as_ref().is_some_and(|word| word.ends_with('=')) => {
                    self.in_list = true;
                    self.push('(');
                }
                ')' if self.in_list => {
                    self.in_list = false;
                    self.push(')');
                }
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
                '$' if self.take('\'') => self.ansi_quoted(),
                // `$"…"` is a translatable string.
                '$' if self.take('"') => self.quoted(),
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
                    target = self.after_greater(target);
                }
                '(' | ')' => {
                    target = self.end_word(target);
                    self.end_command(false);
                    let border = if letter == '(' { BEGIN } else { END };
                    self.found.push(SimpleCommand::border(border));
                }
                ';' | '&' => {
                    target = self.end_word(target);
                    self.end_command(false);
                }
                '>' => {
                    let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
                    if self.word.as_ref().is_some_and(is_number) {
                        self.word = None;
                    }
                    target = self.end_word(target);
                    target = self.after_greater(target);
                }
                '<' => {
                    self.end_word(target);
                    target = self.after_less();
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
        let is_empty = ended.words.is_empty() && ended.over.is_empty();
        if is_empty {
            // `(…) |` pipes the output of its last command.
            let is_after_subshell = self.found.last().is_some_and(SimpleCommand::is_end);
            if feeds_next && is_after_subshell {
                let mut before = self.found.iter().rev();
                let last = before.find(|one| !one.is_begin() && !one.is_end());
                self.fed = last.map(|one| one.words.clone());
            }
            return;
        }
        if let Some(fed) = self.fed.take() {
            ended.from = fed;
        }
        if feeds_next {
            self.fed = Some(ended.words.clone());
        }
        self.found.push(ended);
    }

    /// Parses what follows `>`: `>>` keeps the content, and `>&1` is not a file.
    fn after_greater(&mut self, target: Target) -> Target {
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

    /// Parses what follows `<`.
    fn after_less(&mut self) -> Target {
        if !self.take('<') {
            self.take('&');
            return match self.peek() {
                Some('(') => {
                    self.now.words.push(OUTPUT_OF.to_owned());
                    Target::Word
                }
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
        // With a quoted end marker, the text is literal.
        let mut is_read = true;
        while let Some(letter) = self.peek() {
            if letter.is_whitespace() || matches!(letter, ';' | '|' | '&' | '>' | '<' | ')') {
                break;
            }
            self.at += 1;
            match letter {
                '\'' | '"' | '\\' => is_read = false,
                _ => end.push(letter),
            }
        }
        self.bodies.push((end, is_read));
        Target::Word
    }

    /// Reads the here-documents announced on the line that just ended. Their text belongs to the
    /// previous command.
    fn skip_bodies(&mut self) {
        for (end, is_read) in std::mem::take(&mut self.bodies) {
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
            if let Some(mut last) = self.found.pop() {
                if is_read {
                    self.nested(&text);
                }
                last.text.push_str(&text);
                self.found.push(last);
            }
        }
    }

    fn skip_to_line_end(&mut self) {
        while self.peek().is_some_and(|letter| letter != '\n') {
            self.at += 1;
        }
    }
}

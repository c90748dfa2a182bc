//! Splits a goal into clauses and determines the role of each.

use std::ops::Range;

use super::blocks::{Block, Kind, list_marker_len};
use super::constraints::{opens_constraint, trailing_constraint};
use super::courtesy::{is_courtesy, is_reason, lead, trailing_reason};
use super::sections::{self, Section};
use super::verbs::{among, first_word, is_imperative};
use super::{Clause, Role, sentences, separators};
use crate::rarity::{self, hash};
use crate::task_text::says_check;
use crate::terms;

/// Whether a text only refers to the text before it, such as "fix it" or "behebe das": a single
/// word, or a word and a short one. A request for tests isn't such a reference, but a separate
/// requirement.
pub(super) fn refers_back(text: &str) -> bool {
    const SHORT: usize = 3;
    /// The bits of a word that occurs in half of all passages of any language.
    const COMMON_BITS: f64 = 1.0;
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let mut words = text.split_whitespace();
    let (first, second, third) = (words.next(), words.next(), words.next());
    let is_short = |word: &str| {
        // A shortened stem may be a word of another language: "vary" is not "var". A short word
        // that is rare is a name: "qs", "ui".
        let mut bits = None;
        terms::stems(word, &mut |term, _| {
            bits = (term == hash(word.as_bytes())).then(|| rarity::bits(term));
        });
        let is_common = match bits {
            Some(bits) => bits <= COMMON_BITS,
            None => word.chars().count() <= SHORT,
        };
        word.chars().all(char::is_lowercase) && is_common
    };
    let is_unspaced = text.chars().any(separators::is_ideograph);
    let points = match (first, second, third) {
        (Some(word), None, _) => {
            !is_unspaced && word.chars().all(|c| c.is_alphabetic() || c == '-')
                || word.chars().count() <= SHORT
        }
        (Some(_), Some(second), None) => is_short(second),
        _ => false,
    };
    points && !says_check(text)
}

/// The clauses of a goal, in order.
pub(super) fn of(flat: &str, quoted: &[bool], blocks: &[Block], is_document: bool) -> Vec<Clause> {
    let items = blocks
        .iter()
        .filter(|block| block.kind == Kind::Item)
        .count();
    // The goal is a problem report if it has a traceback or steps to reproduce.
    let is_report = blocks.iter().any(|block| {
        let opens = || sections::opening(&flat[block.span.clone()]).map(|(_, section)| section);
        let named = || sections::named(&flat[block.span.clone()]).or_else(opens);
        block.kind == Kind::Trace || named() == Some(Section::Reporting)
    });
    let mut reader = Reader {
        flat,
        quoted,
        is_document,
        is_report,
        section: Section::Asking,
        under_label: None,
        found: Vec::new(),
    };
    for (nth, block) in blocks.iter().enumerate() {
        let next = blocks.get(nth + 1).map(|next| next.kind);
        let text = &flat[block.span.clone()];
        let role = match block.kind {
            Kind::Heading => {
                reader.enter(sections::named(text).unwrap_or(Section::Asking));
                Some(Role::Title)
            }
            Kind::Code | Kind::Trace => Some(Role::Context),
            Kind::Failure => Some(Role::Failure),
            Kind::Prose | Kind::Item => {
                let is_first = nth == 0
                    && items > 1
                    && block.kind == Kind::Prose
                    && !is_report
                    && !opens_constraint(text);
                let is_title = next == Some(Kind::Item)
                    && (text.ends_with([':', '：'])
                        || is_first && sentences::of(flat, &block.span, quoted).len() == 1);
                match sections::named(text) {
                    Some(section) => {
                        reader.enter(section);
                        reader.under_label = Some(0);
                        Some(Role::Title)
                    }
                    None if is_title => Some(Role::Title),
                    None => None,
                }
            }
        };
        if matches!(block.kind, Kind::Code | Kind::Trace)
            && let Some(blocks) = &mut reader.under_label
        {
            *blocks += 1;
        }
        match role {
            Some(role) => reader.push(block.span.clone(), role),
            None => reader.sentences(block),
        }
    }
    let mut found = reader.found;
    // The title of an issue report describes the problem.
    if let Some(title) = found.first_mut().filter(|first| {
        is_report
            && first.role == Role::Title
            && sections::named(&flat[first.span.clone()]).is_none()
    }) {
        title.role = Role::Requirement;
    }
    found
}

struct Reader<'a> {
    flat: &'a str,
    quoted: &'a [bool],
    is_document: bool,
    is_report: bool,
    section: Section,
    /// Number of blocks read so far in a section that starts with a label instead of a heading.
    under_label: Option<usize>,
    found: Vec<Clause>,
}

impl Reader<'_> {
    fn enter(&mut self, section: Section) {
        self.section = self.told(section);
        self.under_label = None;
    }

    /// The kind of the section in this goal.
    fn told(&self, section: Section) -> Section {
        match section {
            Section::Steps if self.is_report => Section::Reporting,
            Section::Steps => Section::Asking,
            section => section,
        }
    }

    fn push(&mut self, span: Range<usize>, role: Role) {
        let span = trimmed(self.flat, span);
        if self.flat[span.clone()].chars().any(char::is_alphanumeric) {
            self.found.push(Clause { span, role });
        }
    }

    fn sentences(&mut self, block: &Block) {
        if let Some(blocks) = &mut self.under_label {
            *blocks += 1;
            // A section under a label ends at the prose that follows its list.
            if block.kind == Kind::Prose && *blocks > 1 {
                self.enter(Section::Asking);
            }
        }
        let sentences = sentences::of(self.flat, &block.span, self.quoted);
        let last = sentences.len().saturating_sub(1);
        for (nth, mut sentence) in sentences.into_iter().enumerate() {
            let mark = list_marker_len(&self.flat[sentence.clone()]);
            sentence.start += mark.unwrap_or(0);
            let mut section = self.section;
            if let Some((len, named)) = sections::opening(&self.flat[sentence.clone()]) {
                section = self.told(named);
                if self.flat[sentence.start + len..sentence.end]
                    .trim()
                    .is_empty()
                {
                    self.push(sentence, Role::Title);
                    self.enter(named);
                    self.under_label = Some(0);
                    continue;
                }
            }
            let may_point = mark.is_none() && (nth > 0 || block.kind == Kind::Prose);
            let introduces = || {
                self.flat[sentence.clone()]
                    .trim_end()
                    .ends_with([':', '：'])
            };
            if nth < last && introduces() {
                self.push(sentence, Role::Title);
            } else if section != Section::Asking {
                self.push(sentence, Role::Context);
            } else if self.is_document {
                self.described(sentence, may_point);
            } else {
                let sentence = self.without_courtesy(sentence);
                let sentence = self.without_intro(sentence);
                for part in separators::parts(self.flat, &sentence, self.quoted) {
                    self.asked(part, may_point);
                }
            }
        }
    }

    /// Adds a clause, or merges it into the previous one if it only refers back to it.
    fn bind(&mut self, sentence: Range<usize>) {
        let sentence = trimmed(self.flat, sentence);
        if is_courtesy(&self.flat[sentence.clone()]) {
            return self.push(sentence, Role::Context);
        }
        match self.found.last_mut() {
            Some(last)
                if last.role == Role::Requirement
                    && is_apart(&self.flat[last.span.end..sentence.start]) =>
            {
                self.push(sentence, Role::Requirement);
            }
            Some(last) if last.role == Role::Requirement => last.span.end = sentence.end,
            _ => self.push(sentence, Role::Title),
        }
    }

    /// Processes one sentence of a document.
    fn described(&mut self, sentence: Range<usize>, may_point: bool) {
        /// A text with fewer words, or fewer letters in scripts without spaces, is not a
        /// requirement.
        const FEW_WORDS: usize = 3;
        const FEW_LETTERS: usize = 6;
        let text = &self.flat[sentence.clone()];
        let is_long = match text.is_ascii() {
            true => separators::words(text) >= FEW_WORDS,
            false => text.chars().filter(|c| c.is_alphanumeric()).count() >= FEW_LETTERS,
        };
        let polite = lead(text.trim_start()) + (text.len() - text.trim_start().len());
        if may_point && refers_back(&text[polite..]) {
            return self.bind(sentence);
        }
        let role = match () {
            () if !is_long && !is_imperative(&first_word(text))
                || is_courtesy(text.trim())
                || is_reason(text.trim()) =>
            {
                Role::Context
            }
            () => self.wish(text),
        };
        self.push(sentence, role);
    }

    fn wish(&self, text: &str) -> Role {
        // "Keep the history across save and reload" asks for work; "keep its signature" and "keep
        // the output as it is" do not.
        const MIN_WORDS: usize = 5;
        let is_left = || text.contains(" as ") || text.contains("unchanged");
        let is_promise = || {
            among(&first_word(text), "keep preserve")
                && separators::words(text) >= MIN_WORDS
                && !is_left()
        };
        match opens_constraint(text) && !is_promise() {
            true => Role::Constraint,
            false => Role::Requirement,
        }
    }

    /// Records a polite opening, which ends at the first comma, as context. Returns the rest of the
    /// sentence.
    fn without_courtesy(&mut self, sentence: Range<usize>) -> Range<usize> {
        let words = &self.flat[sentence.clone()];
        match words.find(", ") {
            Some(at) if is_courtesy(&words[..at]) => {
                self.push(sentence.start..sentence.start + at, Role::Context);
                sentence.start + at + 2..sentence.end
            }
            _ => sentence,
        }
    }

    /// Records the introduction to a list, as in "Speed up the gallery: cache …, load …", as a
    /// title, or as a constraint if it is one. Returns the rest of the sentence.
    fn without_intro(&mut self, sentence: Range<usize>) -> Range<usize> {
        const MAX_INTRO_WORDS: usize = 8;
        let words = &self.flat[sentence.clone()];
        let Some(at) = words
            .find(": ")
            .filter(|at| !self.quoted[sentence.start + at])
        else {
            return sentence;
        };
        let rest = sentence.start + at + 2..sentence.end;
        // "Never panic in the parser: return an error": what follows the colon is the alternative,
        // not a list.
        if opens_constraint(words) && is_imperative(&first_word(&self.flat[rest.clone()])) {
            self.push(sentence.start..sentence.start + at, Role::Constraint);
            return rest;
        }
        // "Split the page in two: one with the table and one with the rest, keeping its address":
        // only one requirement follows the colon, so the verb before the colon belongs to it.
        let parts = separators::parts(self.flat, &rest, self.quoted);
        let wishes = parts
            .iter()
            .filter(|part| !opens_constraint(self.flat[(*part).clone()].trim_start()));
        if wishes.count() < 2 || separators::words(&words[..at]) > MAX_INTRO_WORDS {
            return sentence;
        }
        self.push(sentence.start..sentence.start + at, Role::Title);
        rest
    }

    /// The statement directly before a request that refers to it: "the parser is slow; make it
    /// faster".
    fn statement_before(&mut self, wish: &Range<usize>, may_point: bool) -> Option<&mut Clause> {
        const IT: &str = "it this that them these those both";
        let (flat, words) = (self.flat, self.flat[wish.clone()].trim_start());
        let verb = first_word(words);
        let is_letter = |c: char| c.is_alphabetic() || c == '\'';
        let second = first_word(words.trim_start_matches(is_letter));
        let is_about = may_point && is_imperative(&verb) && among(&second, IT);
        let told = self.found.last_mut().filter(|_| is_about)?;
        let between = &flat[told.span.end..wish.start];
        let is_next = !between.contains(char::is_alphanumeric) && !is_apart(between);
        let own = &flat[told.span.clone()];
        // A reason belongs to the preceding clause. In Chinese and Japanese, the first word does
        // not distinguish requests from statements.
        let is_cjk = own.starts_with(|c: char| c >= '\u{2e80}');
        let is_statement = !is_imperative(&first_word(own)) && !is_reason(own) && !is_cjk;
        let is_told = matches!(told.role, Role::Context | Role::Requirement);
        (is_next && is_statement && is_told).then_some(told)
    }

    /// Separates a requirement from the reasons and constraints around it.
    fn asked(&mut self, part: Range<usize>, may_point: bool) {
        let part = trimmed(self.flat, part);
        let polite = lead(&self.flat[part.clone()]);
        if may_point && refers_back(&self.flat[part.start + polite..part.end]) {
            return self.bind(part);
        }
        self.push(part.start..part.start + polite, Role::Context);
        let mut part = trimmed(self.flat, part.start + polite..part.end);
        let words = &self.flat[part.clone()];
        if is_courtesy(words) || is_reason(words) {
            return self.push(part, Role::Context);
        }
        if polite > 0 {
            // The question mark is only a form of politeness.
            part.end = part.start + words.trim_end_matches(['?', '？']).len();
        }
        let words = &self.flat[part.clone()];
        let reason = trailing_reason(words, &self.quoted[part.clone()]).unwrap_or(words.len());
        let limit =
            trailing_constraint(&words[..reason], &self.quoted[part.clone()]).unwrap_or(reason);
        let wish = part.start..part.start + limit;
        let end = trimmed(self.flat, wish.clone()).end;
        match self.statement_before(&wish, may_point) {
            Some(told) => {
                told.role = Role::Requirement;
                told.span.end = end;
            }
            None => self.push(wish, self.wish(&words[..limit])),
        }
        self.push(part.start + limit..part.start + reason, Role::Constraint);
        self.push(part.start + reason..part.end, Role::Context);
    }
}

/// Whether the text between two clauses starts a quote or a table, which does not continue the text
/// above it.
fn is_apart(between: &str) -> bool {
    between.contains(['>', '|', '#'])
}

fn trimmed(flat: &str, span: Range<usize>) -> Range<usize> {
    let is_sign = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '，' | '；' | '、');
    let words = &flat[span.clone()];
    let left = words.trim_start_matches(is_sign);
    let start = span.start + (words.len() - left.len());
    let is_end =
        |c: char| is_sign(c) || matches!(c, '.' | '!' | ':' | '。' | '！' | '：' | '।' | '؛' | '۔');
    start..start + left.trim_end_matches(is_end).len()
}

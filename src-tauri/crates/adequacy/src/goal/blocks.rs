//! Splits a goal into blocks: headings, list items, paragraphs, code, tracebacks.
//!
//! Markdown is parsed by `pulldown-cmark`. People type goals informally, so lists with other
//! markers ("•", "a)", "(1)", "1、") are recognized as well.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::{sections, sentences, trace};

/// A range whose end always ends a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// The byte range, without a list or heading marker.
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
}

/// Kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Heading,
    Item,
    Prose,
    /// Code, a comment, a table header.
    Code,
    /// Stack frames and other lines of a traceback.
    Trace,
    /// The error message in a traceback.
    Failure,
}

/// The blocks of a goal, in order. Together they contain every letter and digit except those of
/// list markers.
pub(super) fn of(goal: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    // A single line that begins with a word, like most titles, is prose.
    if goal.starts_with(char::is_alphabetic)
        && !goal.contains('\n')
        && list_marker_len(goal).is_none()
    {
        push(goal, 0..goal.len(), Kind::Prose, &mut blocks);
        return blocks;
    }
    traces(goal, 0..goal.len(), &mut blocks, markdown);
    blocks
}

/// Splits the tracebacks off a range and passes the rest to `between`.
fn traces(
    goal: &str,
    span: Range<usize>,
    blocks: &mut Vec<Block>,
    between: impl Fn(&str, Range<usize>, &mut Vec<Block>),
) {
    let mut at = span.start;
    for found in trace::of(&goal[span.clone()]) {
        let end = span.start + found.span.end;
        between(goal, at..span.start + found.span.start, blocks);
        at = span.start + found.span.start;
        if let Some(failure) = found.failure {
            let failure = span.start + failure.start..span.start + failure.end;
            push(goal, at..failure.start, Kind::Trace, blocks);
            push(goal, failure.clone(), Kind::Failure, blocks);
            at = failure.end;
        }
        push(goal, at..end, Kind::Trace, blocks);
        at = end;
    }
    between(goal, at..span.end, blocks);
}

/// Adds the blocks of a code block or comment, which may contain a traceback.
fn code(goal: &str, span: Range<usize>, blocks: &mut Vec<Block>) {
    let text = &goal[span.clone()];
    let is_fence = |line: &str| line.trim_start().starts_with(['`', '~']);
    let first = text
        .split_inclusive('\n')
        .next()
        .filter(|line| is_fence(line));
    let last = text
        .trim_end()
        .rsplit('\n')
        .next()
        .filter(|line| is_fence(line));
    let from = span.start + first.map_or(0, str::len);
    let to = (span.start + text.trim_end().len() - last.map_or(0, str::len)).max(from);
    push(goal, span.start..from, Kind::Code, blocks);
    traces(goal, from..to, blocks, |goal, span, blocks| {
        push(goal, span, Kind::Code, blocks);
    });
}

/// Whether a goal is a document: it has headings, a title above prose (as in an issue), or several
/// sentences of prose. A list is not a document but a list of requirements.
pub(super) fn is_document(goal: &str, flat: &str, quoted: &[bool], blocks: &[Block]) -> bool {
    const MAX_SENTENCES: usize = 3;
    let prose = blocks.iter().filter(|block| block.kind == Kind::Prose);
    // A list written on one line is a list too.
    let prose = prose.filter(|block| {
        sentences::items(&flat[..block.span.start], &flat[block.span.clone()]).is_empty()
    });
    let is_heading = |block: &Block| block.kind == Kind::Heading;
    blocks.iter().any(is_heading)
        || has_title(goal, blocks)
        || prose
            .flat_map(|block| sentences::of(flat, &block.span, quoted))
            .nth(MAX_SENTENCES)
            .is_some()
}

/// Whether the first line is a title: it stands alone, has no final punctuation, and is followed by
/// prose.
fn has_title(goal: &str, blocks: &[Block]) -> bool {
    let [first, next, ..] = blocks else {
        return false;
    };
    let title = &goal[first.span.clone()];
    let gap = &goal[first.span.end..next.span.start];
    let is_prose = |block: &Block| block.kind == Kind::Prose;
    is_prose(first)
        && is_prose(next)
        && !title.contains('\n')
        && gap.matches('\n').count() > 1
        && gap.trim().is_empty()
}

/// Adds the blocks of a range of Markdown.
fn markdown(goal: &str, span: Range<usize>, blocks: &mut Vec<Block>) {
    let text = &goal[span.clone()];
    let mut options = Options::empty();
    options.insert(Options::ENABLE_TABLES);
    options.insert(Options::ENABLE_TASKLISTS);
    let mut reader = Reader {
        goal,
        blocks,
        open: None,
        at: span.start,
    };
    // The enclosing elements: the kind of their text, and where each one ends.
    let mut inside: Vec<(Kind, usize)> = Vec::new();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let range = span.start + range.start..span.start + range.end;
        match event {
            Event::Start(Tag::Heading { .. }) => {
                // A line underlined with dashes is more likely prose above a horizontal rule than a
                // heading.
                let is_ruled = goal[range.clone()].trim_end().ends_with('-');
                let kind = if is_ruled { Kind::Prose } else { Kind::Heading };
                inside.push((kind, range.end));
                reader.close();
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                // Indented text is usually prose.
                inside.push((Kind::Prose, range.end));
                reader.close();
            }
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::TableHead) => {
                inside.push((Kind::Code, range.end));
                reader.close();
                reader.take(range, Kind::Code);
            }
            Event::Start(Tag::Item | Tag::TableRow) => {
                inside.push((Kind::Item, range.end));
                reader.close();
            }
            Event::Start(Tag::Paragraph | Tag::BlockQuote(_) | Tag::List(_) | Tag::Table(_))
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::BlockQuote(_)
                | TagEnd::List(_)
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock
                | TagEnd::Table
                | TagEnd::TableHead
                | TagEnd::TableRow,
            )
            | Event::Rule => reader.close(),
            Event::TaskListMarker(_) => {
                reader.close();
                reader.skip_to(range.start);
                reader.at = range.end;
            }
            _ => {
                inside.retain(|(_, end)| *end > range.start);
                let kind = inside.last().map_or(Kind::Prose, |(kind, _)| *kind);
                reader.take(range, kind);
            }
        }
    }
    reader.close();
    reader.skip_to(span.end);
}

/// Collects the blocks.
struct Reader<'a> {
    goal: &'a str,
    blocks: &'a mut Vec<Block>,
    /// The block currently being read.
    open: Option<Block>,
    /// Everything before this position is already in a block.
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, range: Range<usize>, kind: Kind) {
        match &mut self.open {
            Some(block) => block.span.end = block.span.end.max(range.end),
            None if range.start >= self.at => self.open = Some(Block { span: range, kind }),
            None => {}
        }
    }

    fn close(&mut self) {
        let Some(block) = self.open.take() else {
            return;
        };
        self.skip_to(block.span.start);
        self.at = block.span.end;
        match block.kind {
            Kind::Prose | Kind::Item => lines(self.goal, &block, self.blocks),
            Kind::Code => code(self.goal, block.span, self.blocks),
            _ => push(self.goal, block.span, block.kind, self.blocks),
        }
    }

    /// Text that is not Markdown content, such as a link address, is context.
    fn skip_to(&mut self, start: usize) {
        let gap = self.at..start.max(self.at);
        let words = self.goal[gap.clone()].trim();
        let is_mark = list_marker_len(&format!("{words} x")).is_some_and(|len| len > words.len());
        if !is_mark {
            push(self.goal, gap, Kind::Code, self.blocks);
        }
        self.at = start.max(self.at);
    }
}

/// Splits a paragraph at lines with list markers and section names.
fn lines(goal: &str, block: &Block, blocks: &mut Vec<Block>) {
    let mut kind = block.kind;
    let mut from = block.span.start;
    let mut at = from;
    for line in goal[block.span.clone()].split_inclusive('\n') {
        let words = line.trim_start();
        if let Some(mark) = list_marker_len(words) {
            push(goal, from..at, kind, blocks);
            from = at + (line.len() - words.len()) + mark;
            kind = Kind::Item;
        } else if kind == Kind::Prose && sections::named(words.trim_end()).is_some() {
            push(goal, from..at, kind, blocks);
            push(goal, at..at + line.len(), kind, blocks);
            from = at + line.len();
        }
        at += line.len();
    }
    push(goal, from..at, kind, blocks);
}

fn push(goal: &str, span: Range<usize>, kind: Kind, blocks: &mut Vec<Block>) {
    let words = &goal[span.clone()];
    if words.chars().any(char::is_alphanumeric) {
        let start = span.start + (words.len() - words.trim_start().len());
        let end = start + words.trim().len();
        blocks.push(Block {
            span: start..end,
            kind,
        });
    }
}

/// Length of the list marker at the beginning of a line, including the spaces after it. The marker
/// is a symbol, a number, or a single letter followed by a bracket.
pub(super) fn list_marker_len(line: &str) -> Option<usize> {
    const MAX_DIGITS: usize = 3;
    let first = line.chars().next()?;
    let is_sign = |c: char| !c.is_alphanumeric() && !c.is_whitespace() && !is_opening(c);
    let after = if is_sign(first) && !matches!(first, '(' | '（') {
        let signs = line.trim_start_matches(is_sign);
        // "--json" is a flag, "- json" is a list item.
        signs.starts_with(char::is_whitespace).then_some(signs)?
    } else {
        let open = line.strip_prefix(['(', '（']).unwrap_or(line);
        let rest = open.trim_start_matches(char::is_numeric);
        let digits = open[..open.len() - rest.len()].chars().count();
        let rest = match digits {
            0 => open
                .strip_prefix(char::is_alphabetic)?
                .strip_prefix([')', '）'])?,
            1..=MAX_DIGITS => rest
                .strip_prefix([')', '）', '.', '、', '．'])
                .or_else(|| {
                    // "①" needs no punctuation after it.
                    open.starts_with(|c: char| matches!(c, '\u{2460}'..='\u{24ff}'))
                        .then_some(rest)
                })?,
            _ => return None,
        };
        // "3.5" is a number. In scripts without spaces, no space is needed after the punctuation.
        let is_wide = rest.starts_with(|c: char| !c.is_ascii());
        (is_wide || rest.starts_with(char::is_whitespace)).then_some(rest)?
    };
    let words = after.trim_start();
    (!words.is_empty()).then(|| line.len() - words.len())
}

fn is_opening(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '`'
            | '“'
            | '„'
            | '«'
            | '「'
            | '『'
            | '‘'
            | '<'
            | '$'
            | '@'
            | '['
            | '¿'
            | '¡'
            | '#'
    )
}

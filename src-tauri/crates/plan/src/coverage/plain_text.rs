//! The content of a piece of Markdown without its formatting.
//!
//! Two texts have the same content if Markdown renders the same words, code, links, headings and
//! list nesting. Emphasis, bullet and number characters, escapes, line breaks in paragraphs, blank
//! lines, indentation and comments make no difference. In code every character counts.
//!
//! Does not know about keys such as `verify:`; their values are compared separately.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::lines;

/// A text's content as one string: its words, with markers for structure and code.
pub(super) fn plain_text(text: &str) -> String {
    let text = dedented(text);
    let mut builder = TextBuilder::default();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        builder.take(event);
    }
    builder.mark("");
    builder.text
}

#[derive(Debug, Default)]
struct TextBuilder {
    text: String,
    /// Whether the current event is in a code block, where whitespace is kept.
    in_code: bool,
    /// Whether the current event is in a comment that spans several events.
    in_comment: bool,
}

impl TextBuilder {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) if self.in_code => self.text.push_str(&text),
            Event::Text(text) => self.prose(&text),
            Event::Code(code) => {
                self.text.push('`');
                self.text.push_str(&code);
                self.text.push('`');
            }
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html),
            Event::SoftBreak | Event::HardBreak => self.blank(),
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Item => self.mark("-"),
            Tag::BlockQuote(_) => self.mark(">"),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => self.link_target(dest_url),
            Tag::Heading { level, .. } => self.mark(&format!("h{}", *level as usize)),
            Tag::CodeBlock(kind) => {
                let language: CowStr<'_> = match kind {
                    CodeBlockKind::Fenced(language) => language.clone(),
                    CodeBlockKind::Indented => "".into(),
                };
                self.mark("```");
                self.prose(&language);
                self.text.push('\n');
                self.in_code = true;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Item | TagEnd::BlockQuote(_) => self.mark("/"),
            TagEnd::CodeBlock => {
                self.mark("/");
                self.in_code = false;
            }
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell => self.blank(),
            _ => {}
        }
    }

    /// A link target; the link text follows as text events.
    fn link_target(&mut self, to: &str) {
        self.text.push('<');
        self.text.push_str(to);
        self.text.push('>');
    }

    /// Writes a marker on its own line. Lines of prose start with a space, so prose never looks
    /// like a marker.
    fn mark(&mut self, mark: &str) {
        if !self.in_code {
            self.text.truncate(self.text.trim_end().len());
        }
        self.text.push('\n');
        self.text.push_str(mark);
        self.text.push('\n');
    }

    fn prose(&mut self, text: &str) {
        if text.starts_with(char::is_whitespace) {
            self.blank();
        }
        for (at, word) in text.split_whitespace().enumerate() {
            if at > 0 {
                self.blank();
            }
            if self.text.is_empty() || self.text.ends_with('\n') {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
        if text.ends_with(char::is_whitespace) {
            self.blank();
        }
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    /// HTML without its comments.
    fn html(&mut self, html: &str) {
        let mut rest = html;
        loop {
            let (sought, length) = match self.in_comment {
                true => ("-->", 3),
                false => ("<!--", 4),
            };
            let Some(at) = rest.find(sought) else { break };
            if !self.in_comment {
                self.prose(&rest[..at]);
            }
            self.in_comment = !self.in_comment;
            rest = &rest[at + length..];
        }
        if !self.in_comment {
            self.prose(rest);
        }
    }
}

/// Removes the indent that all lines share. The first line starts at its span, which may be
/// mid-line, so it doesn't count.
fn dedented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let continued = lines::split(text).skip(1);
    let continued = continued.filter(|line| !line.trim().is_empty());
    let shared = continued.map(indent).min().unwrap_or(0);
    let mut dedented = String::with_capacity(text.len());
    for (at, line) in lines::split(text).enumerate() {
        let line = match at {
            0 => line.trim_start(),
            _ => line.get(shared.min(indent(line))..).unwrap_or(line),
        };
        dedented.push_str(line.trim_end());
        dedented.push('\n');
    }
    dedented
}

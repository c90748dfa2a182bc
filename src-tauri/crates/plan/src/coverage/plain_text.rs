//! What a piece of Markdown says, apart from how it is written.
//!
//! Two texts say the same where Markdown shows the same words, code, links, headings and nesting of lists.
//! Emphasis, the characters of bullets and numbers, escapes, where the lines of a paragraph end, blank
//! lines, how far something is indented, and comments make no difference. In code every character counts.
//!
//! Knows nothing of keys such as `verify:`; what a program reads from them is compared apart from this.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::lines;

/// What a text says as one string: its words, with marks for structure and code.
pub(super) fn plain_text(text: &str) -> String {
    let text = dedented(text);
    let mut words = Words::default();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        words.take(event);
    }
    words.mark("");
    words.text
}

#[derive(Debug, Default)]
struct Words {
    text: String,
    /// In a block of code, where blanks are kept.
    in_code: bool,
    /// Inside a comment that spans several events.
    in_comment: bool,
}

impl Words {
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
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => self.leads(dest_url),
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

    /// Leads somewhere; its words come as text.
    fn leads(&mut self, to: &str) {
        self.text.push('<');
        self.text.push_str(to);
        self.text.push('>');
    }

    /// On a line of its own; a line of prose begins with a blank, so that no prose reads as a mark.
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

    /// Without its comments.
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

/// The lines with the indent taken away that they share. The first begins where its place does,
/// wherever that is on its line.
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

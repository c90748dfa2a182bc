//! Renders Markdown for the window, as HTML that is safe in a privileged page.
//!
//! Plans aren't trusted. Raw HTML is shown as text, so that nothing in a plan is hidden from
//! whoever approves it. An image is shown by name; one in the workspace is marked with its path, so
//! that the window can request it. Links are limited to `http`, `https` and `mailto`, anything else
//! becomes plain text, and the window asks before opening one. The output is also sanitized by an
//! HTML library, as a second line of defense. Submodule `highlight` colors code.
//!
//! **Architecture invariants.** The output contains only the elements in `ELEMENTS`, and only
//! these attributes: `href` and `rel` of a link, `start` of a list, `class` of a `span` (one of
//! `highlight::CLASSES`) and `title` of a `figure` (an image's path). It loads nothing by itself.
//! Its length is bounded by the input's.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use plan::word_list::WordList;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

mod highlight;
#[cfg(test)]
mod tests;

/// The elements allowed in rendered text.
const ELEMENTS: WordList = WordList(
    "a blockquote br code del em figure h1 h2 h3 h4 h5 h6 hr li ol p pre span strong table tbody td \
    th thead tr ul",
);

/// The URL schemes allowed in links.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// The maximum nesting of elements; deeper ones are reduced to their text.
const DEEPEST: usize = 40;

/// Maximum number of characters of a displayed URL.
const MAX_ADDRESS_LEN: usize = 200;

static CLEANER: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = ammonia::Builder::empty();
    cleaner
        .tags(ELEMENTS.iter().collect())
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href"])),
            ("ol", HashSet::from(["start"])),
            ("figure", HashSet::from(["title"])),
        ]))
        .allowed_classes(HashMap::from([(
            "span",
            highlight::CLASSES.into_iter().collect(),
        )]))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .url_schemes(HashSet::from(SCHEMES))
        .url_relative(ammonia::UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer nofollow"));
    cleaner
});

/// Renders at most `limit` bytes of Markdown; `…` marks a truncation.
pub fn render(markdown: &str, limit: usize) -> String {
    let text = cut(markdown, limit);
    let mut events = Harmless::default();
    let mut out = String::with_capacity(text.len() * 3 / 2);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let parser = Parser::new_ext(text, options).flat_map(|event| events.take(event));
    html::push_html(&mut out, parser);
    if text.len() < markdown.len() {
        out.push_str("<p>…</p>\n");
    }
    CLEANER.clean(&out).to_string()
}

/// The start of a text, at most `limit` bytes of whole characters.
pub fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// Filters Markdown events down to the allowed elements.
#[derive(Default)]
struct Harmless {
    /// Whether each open element is written.
    open: Vec<bool>,
    /// The URLs of the enclosing images.
    pictures: Vec<String>,
    /// The language and text of the open code block.
    code: Option<(String, String)>,
}

impl Harmless {
    fn take<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        if let Some((language, code)) = &mut self.code {
            return match event {
                Event::Text(text) => {
                    code.push_str(&text);
                    None
                }
                Event::End(TagEnd::CodeBlock) => {
                    let html = highlight::block(language, code);
                    self.code = None;
                    Some(Event::Html(html.into()))
                }
                _ => None,
            };
        }
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                self.code = Some((info.into_string(), String::new()));
                None
            }
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            // Shown as text, including its line ending.
            Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
            Event::TaskListMarker(done) => Some(Event::Text(CowStr::Borrowed(match done {
                true => "☑ ",
                false => "☐ ",
            }))),
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => None,
            Event::Text(_) | Event::Code(_) | Event::SoftBreak | Event::HardBreak | Event::Rule => {
                Some(event)
            }
        }
    }

    fn start<'a>(&mut self, tag: Tag<'a>) -> Option<Event<'a>> {
        let tag = match tag {
            Tag::Link { dest_url, .. } if !is_allowed(&dest_url) => None,
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => Some(Tag::Link {
                link_type,
                dest_url,
                title: CowStr::Borrowed(""),
                id: CowStr::Borrowed(""),
            }),
            Tag::Image { dest_url, .. } => {
                self.pictures.push(dest_url.into_string());
                None
            }
            Tag::Heading { level, .. } => Some(Tag::Heading {
                level,
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            }),
            // An HTML block is shown as a paragraph of text.
            Tag::HtmlBlock => Some(Tag::Paragraph),
            other => Some(other),
        };
        // Tables are kept complete, since their parts make no sense alone.
        let tag = tag.filter(|tag| self.open.len() < DEEPEST || is_part_of_table(tag));
        self.open.push(tag.is_some());
        tag.map(Event::Start)
    }

    fn end<'a>(&mut self, tag: TagEnd) -> Option<Event<'a>> {
        let is_written = self.open.pop().unwrap_or(false);
        match tag {
            TagEnd::Image => {
                let address = self.pictures.pop().unwrap_or_default();
                if let Some(path) = workspace_path(&address) {
                    let path = escaped(&path);
                    return Some(Event::InlineHtml(
                        format!(" <figure title=\"{path}\">({path})</figure>").into(),
                    ));
                }
                let shown = cut(&address, MAX_ADDRESS_LEN);
                let more = if shown.len() < address.len() {
                    "…"
                } else {
                    ""
                };
                Some(Event::Text(format!(" ({shown}{more})").into()))
            }
            TagEnd::HtmlBlock if is_written => Some(Event::End(TagEnd::Paragraph)),
            other => is_written.then_some(Event::End(other)),
        }
    }
}

/// The path of an image that may be in the workspace; `None` for a URL with a scheme or host.
fn workspace_path(address: &str) -> Option<String> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let is_address = path.is_empty()
        || path.len() > MAX_ADDRESS_LEN
        || path.starts_with(['/', '\\'])
        || path.contains([':', '\0', '\n', '\r']);
    (!is_address).then(|| path.replace("%20", " "))
}

/// Escapes text for HTML content and attributes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

fn is_part_of_table(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::TableHead | Tag::TableRow | Tag::TableCell)
}

fn is_allowed(address: &str) -> bool {
    let scheme = address.split_once(':').map_or("", |(scheme, _)| scheme);
    SCHEMES
        .iter()
        .any(|allowed| scheme.eq_ignore_ascii_case(allowed))
}

/// The range of the section below a heading, up to the next heading of the same or a higher level
/// and without the heading line. Headings are compared case-insensitively.
pub fn section(text: &str, heading: &str) -> Option<Range<usize>> {
    let mut found: Option<(HeadingLevel, usize)> = None;
    let mut depth = 0_usize;
    let mut open: Option<(HeadingLevel, Range<usize>, String)> = None;
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_TABLES;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                if let Some((above, from)) = found
                    && level <= above
                {
                    return Some(from..range.start);
                }
                depth += 1;
                open = Some((level, range, String::new()));
            }
            Event::End(TagEnd::Heading(_)) => {
                depth = depth.saturating_sub(1);
                if let Some((level, range, words)) = open.take()
                    && found.is_none()
                    && words.trim().to_lowercase() == heading.trim().to_lowercase()
                {
                    found = Some((level, range.end));
                }
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(words) | Event::Code(words) => {
                if let Some((_, _, heading)) = &mut open {
                    heading.push_str(&words);
                }
            }
            _ => {}
        }
    }
    found.map(|(_, from)| from..text.len())
}

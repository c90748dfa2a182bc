//! Which dialect a text is written in, from its content alone.
//!
//! One pass over the lines, before the Markdown is read: the ids behind the boxes decide, and where
//! two formats share a form (`1.1`), what stands around them. A file that says `planwright:` is
//! native whatever else it holds; one without ids, whose headings are counted, has them for its steps. A single bold id in a file of another dialect, written there by
//! this program, does not change what the file is.

use super::fence::Fence;
use super::headed::Headed;
use super::{Rules, rules};
use crate::boxes::{self, Boxes, Head};
use crate::ids;
use crate::lines;
use crate::model::Dialect;

/// Every box that any dialect knows.
pub(super) const ANY: Boxes = Boxes {
    glued: true,
    wide: true,
};

/// What the lines of a text say about its dialect.
#[derive(Debug, Default)]
struct Seen {
    /// Bold ids that no other dialect writes.
    bold: usize,
    /// `T001` without bold.
    tasks: usize,
    /// `**T001**`: spec-kit's when its marks stand about.
    bold_tasks: usize,
    /// `[P]`, `[US1]` behind an id.
    marks: usize,
    /// `1.2`.
    dotted: usize,
    /// Those under a heading with the same first number.
    in_group: usize,
    /// `**1.2**`.
    bold_numbers: usize,
    bold_in_group: usize,
    /// `1.`
    ordinals: usize,
    /// Whether any count begins: `2.1`. "1.5 litres" does not.
    has_first: bool,
    /// What only Kiro writes: `_Requirements: …_`, `- [ ]* 1.2`, `1.2 (P)`.
    details: usize,
    /// The heading that Kiro begins its lists with.
    is_implementation_plan: bool,
    has_title: bool,
}

/// The rules that the text from `body` on is to be read by, and the headings that are its steps.
pub(crate) fn detect(
    text: &str,
    body: usize,
    says_native: bool,
) -> (&'static Rules, Option<Headed>) {
    let dialect = match says_native {
        true => Dialect::Native,
        false => Seen::of(&text[body..]).dialect(),
    };
    let headed = match dialect {
        Dialect::Plain => Headed::of(text, body),
        _ => None,
    };
    let dialect = headed.as_ref().map_or(dialect, |_| Dialect::Headings);
    (rules(dialect), headed)
}

impl Seen {
    fn of(text: &str) -> Self {
        let mut seen = Self::default();
        let mut fence: Option<Fence> = None;
        let mut group = None;
        for line in lines::split(text) {
            let words = line.trim_start_matches([' ', '\t', '>']);
            let Some(first) = words.bytes().next() else {
                continue;
            };
            let indent = line.len() - words.len();
            match (&fence, first) {
                (Some(open), _) if open.holds(words, indent) => {
                    if open.closes(words) {
                        fence = None;
                    }
                    continue;
                }
                (_, b'`' | b'~') => {
                    fence = Fence::opened(words, indent);
                    continue;
                }
                (_, b'#') => {
                    seen.heading(words);
                    group = heading_number(words);
                }
                (_, b'_' | b'*' | b'-' | b'+' | b'0'..=b'9') => seen.line(words, group),
                _ => {}
            }
            fence = None;
        }
        seen
    }

    fn heading(&mut self, words: &str) {
        if words.starts_with("# ") && !self.has_title {
            self.has_title = true;
            let title = words[2..].trim_start();
            let name = "implementation plan";
            self.is_implementation_plan = title
                .get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name));
        }
    }

    fn line(&mut self, line: &str, group: Option<&str>) {
        let (words, found) = match boxes::head(line, ANY) {
            Some(Head::Task(found)) => (&line[found.rest..], Some(found)),
            Some(Head::Text(at)) => (&line[at..], None),
            Some(Head::Odd { .. }) => return,
            None => (line, None),
        };
        let Some(found) = found else {
            self.details += usize::from(super::detail::is_sign(words));
            return;
        };
        let is_bold = words.starts_with("**") || words.starts_with("__");
        if let Some(id) = ids::spec_kit_id(words).filter(|id| is_long(&words[id.id.clone()])) {
            let rest = &words[id.rest..];
            self.marks += usize::from(rest.starts_with("[P]") || rest.starts_with("[US"));
            match is_bold {
                true => self.bold_tasks += 1,
                false => self.tasks += 1,
            }
        } else if let Some(id) = ids::number_id(words) {
            let number = &words[id.id.clone()];
            self.details += usize::from(found.optional || words[id.rest..].starts_with("(P)"));
            let is_dotted = number.contains('.');
            let in_group = group == number.split('.').next();
            self.has_first |= number.ends_with(".1");
            match (is_bold && id.bold, is_dotted) {
                (true, _) => {
                    self.bold_numbers += 1;
                    self.bold_in_group += usize::from(in_group && is_dotted);
                }
                (false, true) => {
                    self.dotted += 1;
                    self.in_group += usize::from(in_group);
                }
                (false, false) => self.ordinals += 1,
            }
        } else if ids::task_id(words).is_some_and(|id| id.bold) {
            self.bold += 1;
        }
    }

    fn dialect(&self) -> Dialect {
        let has_groups = self.bold_in_group * 2 > self.bold_numbers;
        let is_kiro = self.details > 0;
        let numbers = match (self.dotted, self.ordinals) {
            _ if is_kiro => Some(Dialect::Kiro),
            (1.., _) if self.in_group * 2 >= self.dotted => Some(Dialect::OpenSpec),
            // Kiro's groups are boxes themselves. One number alone is as likely an amount.
            (1.., 1..) if self.has_first => Some(Dialect::Kiro),
            (2.., 0) if self.has_first => Some(Dialect::OpenSpec),
            (0, 1..) if self.is_implementation_plan => Some(Dialect::Kiro),
            _ if has_groups => Some(Dialect::OpenSpec),
            _ => None,
        };
        let mut native = self.bold;
        let mut tasks = self.tasks;
        let mut numbered = match numbers {
            Some(_) => self.dotted + self.ordinals,
            None => 0,
        };
        match self.marks {
            0 => native += self.bold_tasks,
            _ => tasks += self.bold_tasks,
        }
        match has_groups || is_kiro {
            true => numbered += self.bold_numbers,
            false => native += self.bold_numbers,
        }
        let most = native.max(tasks).max(numbered);
        match numbers {
            _ if most == 0 => Dialect::Plain,
            _ if native == most => Dialect::Native,
            _ if tasks == most => Dialect::SpecKit,
            Some(dialect) => dialect,
            None => Dialect::Plain,
        }
    }
}

/// Whether an id has the three digits that spec-kit gives its tasks.
fn is_long(id: &str) -> bool {
    id.bytes().filter(u8::is_ascii_digit).count() >= 3
}

/// The first number of a heading: `2` in `## 2. Name` and `## Phase 2: Name`.
fn heading_number(words: &str) -> Option<&str> {
    let start = words.find(|c: char| c.is_ascii_digit())?;
    let rest = &words[start..];
    let end = rest.find(|c: char| !c.is_ascii_digit());
    Some(&rest[..end.unwrap_or(rest.len())])
}

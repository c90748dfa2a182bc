//! Detects the dialect of a text from its content alone.
//!
//! One pass over the lines, before the Markdown is parsed. The ids after the boxes decide; where
//! two formats share a form (`1.1`), the context does. A file with `planwright:` is native whatever
//! else it contains. A file without ids whose headings are numbered uses them as steps. A single
//! bold id in another tool's file, written by this program, doesn't change its dialect.

use super::fence::Fence;
use super::heading_steps::HeadingSteps;
use super::{Rules, rules};
use crate::checkbox::{self, BoxRules, ItemHead};
use crate::id_syntax;
use crate::lines;
use crate::model::Dialect;

/// Accepts every box that any dialect knows.
pub(super) const ANY: BoxRules = BoxRules {
    glued: true,
    wide: true,
};

/// The signs of each dialect in a text.
#[derive(Debug, Default)]
struct Signs {
    /// Number of bold ids that no other dialect writes.
    bold: usize,
    /// Number of ids such as `T001` that aren't bold.
    tasks: usize,
    /// Number of ids such as `**T001**`, which count for spec-kit if its markers occur too.
    bold_tasks: usize,
    /// Number of `[P]` and `[US1]` markers after an id.
    marks: usize,
    /// Number of ids such as `1.2`.
    dotted: usize,
    /// Number of ids such as `1.2` under a heading with the same leading number.
    in_group: usize,
    /// Number of ids such as `**1.2**`.
    bold_numbers: usize,
    bold_in_group: usize,
    /// Number of ids such as `1.`.
    ordinals: usize,
    /// Whether a number starts a sequence, as `2.1` does and "1.5 litres" doesn't.
    has_first: bool,
    /// Number of signs that only Kiro uses: `_Requirements: …_`, `- [ ]* 1.2`, `1.2 (P)`.
    details: usize,
    /// Whether the title is the one that Kiro gives its lists.
    is_implementation_plan: bool,
    has_title: bool,
}

/// The rules for parsing the text from `body` on, and the headings that are its steps.
pub(crate) fn detect(
    text: &str,
    body: usize,
    says_native: bool,
) -> (&'static Rules, Option<HeadingSteps>) {
    let dialect = match says_native {
        true => Dialect::Native,
        false => Signs::of(&text[body..]).dialect(),
    };
    let heading_steps = match dialect {
        Dialect::Plain => HeadingSteps::of(text, body),
        _ => None,
    };
    let dialect = heading_steps
        .as_ref()
        .map_or(dialect, |_| Dialect::Headings);
    (rules(dialect), heading_steps)
}

impl Signs {
    fn of(text: &str) -> Self {
        let mut signs = Self::default();
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
                    signs.heading(words);
                    group = heading_number(words);
                }
                (_, b'_' | b'*' | b'-' | b'+' | b'0'..=b'9') => signs.line(words, group),
                _ => {}
            }
            fence = None;
        }
        signs
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
        let (words, found) = match checkbox::head(line, ANY) {
            Some(ItemHead::Task(found)) => (&line[found.rest..], Some(found)),
            Some(ItemHead::Text(at)) => (&line[at..], None),
            Some(ItemHead::Odd { .. }) => return,
            None => (line, None),
        };
        let Some(found) = found else {
            self.details += usize::from(super::detail::is_sign(words));
            return;
        };
        let is_bold = words.starts_with("**") || words.starts_with("__");
        if let Some(id) = id_syntax::spec_kit_id(words).filter(|id| is_long(&words[id.id.clone()]))
        {
            let rest = &words[id.rest..];
            self.marks += usize::from(rest.starts_with("[P]") || rest.starts_with("[US"));
            match is_bold {
                true => self.bold_tasks += 1,
                false => self.tasks += 1,
            }
        } else if let Some(id) = id_syntax::number_id(words) {
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
        } else if id_syntax::task_id(words).is_some_and(|id| id.bold) {
            self.bold += 1;
        }
    }

    fn dialect(&self) -> Dialect {
        let has_groups = self.bold_in_group * 2 > self.bold_numbers;
        let is_kiro = self.details > 0;
        let numbers = match (self.dotted, self.ordinals) {
            _ if is_kiro => Some(Dialect::Kiro),
            (1.., _) if self.in_group * 2 >= self.dotted => Some(Dialect::OpenSpec),
            // Kiro's groups have boxes too, so `1.` and `1.1` occur together. A single number may
            // be an amount.
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
        let highest = native.max(tasks).max(numbered);
        match numbers {
            _ if highest == 0 => Dialect::Plain,
            _ if native == highest => Dialect::Native,
            _ if tasks == highest => Dialect::SpecKit,
            Some(dialect) => dialect,
            None => Dialect::Plain,
        }
    }
}

/// Whether an id has at least three digits, as spec-kit's do.
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

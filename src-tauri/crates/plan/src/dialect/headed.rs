//! Plans that write their steps as headings: `### Task 3: Words`, `## Phase 2 — Words`.
//!
//! In any language: headings of one level that begin with the same word and are counted from 1 are the
//! steps. Headings around them that are counted as well are their groups (`## Phase 1` around
//! `### Task 1.1`), and so are counted headings inside of most of them (`#### 2. Words`), which are the
//! steps then. Numbers alone make no steps: any document has them. Boxes under such a heading are its
//! sub-tasks; where many stand under none, the boxes are the plan and the headings its chapters.

use super::detect::ANY;
use super::fence::Fence;
use crate::boxes::{self, Head};
use crate::lines;
use crate::model::Span;

/// What a done step's heading ends with when it is ticked here.
pub(crate) const DONE: &str = " ✅";

/// Ways in which people say that the step of a heading is done.
const MARKS: [&str; 6] = ["✅", "✔️", "✔", "✓", "☑", "[x]"];

/// Of so many boxes one may stand elsewhere, in a list at the end for example.
const ONE_OF: usize = 5;

/// Which headings are steps.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Headed(Vec<Kind>);

/// A word and a level; the word is empty where numbers alone count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    level: u8,
    word: String,
}

/// One heading that is counted.
struct Counted {
    kind: Kind,
    /// The first of its numbers.
    number: u32,
    /// Which heading of the file it is.
    at: usize,
}

/// The parts of a step's heading, as places in its words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) title: Span,
    /// What a tick replaces; empty at the end of the words where the step is open.
    pub(crate) mark: Span,
}

impl Headed {
    /// Of a text whose Markdown begins at `body`; `None` where its headings are no steps.
    pub(crate) fn of(text: &str, body: usize) -> Option<Self> {
        let mut levels = Vec::new();
        let mut counted: Vec<Counted> = Vec::new();
        let mut fence: Option<Fence> = None;
        // Of each box, how many headings stand above it.
        let mut boxes = Vec::new();
        for line in lines::split(&text[body..]) {
            let words = line.trim_start_matches([' ', '\t']);
            let indent = line.len() - words.len();
            if let Some(open) = &fence {
                if open.closes(words) {
                    fence = None;
                }
                continue;
            }
            fence = Fence::opened(words, indent);
            if matches!(boxes::head(words, ANY), Some(Head::Task(_))) {
                boxes.push(levels.len());
                continue;
            }
            let hashes = words.len() - words.trim_start_matches('#').len();
            if !(1..=6).contains(&hashes) || indent > 3 || !words[hashes..].starts_with([' ', '\t'])
            {
                continue;
            }
            let level = u8::try_from(hashes).unwrap_or(6);
            if let Some((word, number, _)) = split(words[hashes..].trim()) {
                counted.push(Counted {
                    kind: Kind { level, word },
                    number,
                    at: levels.len(),
                });
            }
            levels.push(level);
        }
        let steps = most(&counted)?;
        let mut kinds = vec![steps.clone()];
        let ends = |at: usize| {
            let level = levels[at];
            let next = levels[at + 1..].iter().position(|other| *other <= level);
            next.map_or(levels.len(), |next| at + 1 + next)
        };
        let of = |kind: &Kind| {
            counted
                .iter()
                .filter(|one| one.kind == *kind)
                .map(|one| one.at)
                .collect::<Vec<_>>()
        };
        let places = of(&steps);
        let mut others: Vec<Kind> = counted.iter().map(|one| one.kind.clone()).collect();
        others.sort();
        others.dedup();
        for other in others {
            let (outer, inner) = match other.level.cmp(&steps.level) {
                std::cmp::Ordering::Less if !other.word.is_empty() => (of(&other), places.clone()),
                std::cmp::Ordering::Greater => (places.clone(), of(&other)),
                _ => continue,
            };
            let holds = |at: &&usize| inner.iter().any(|one| (**at + 1..ends(**at)).contains(one));
            if outer.iter().filter(holds).count() * 2 >= outer.len() {
                kinds.push(other);
            }
        }
        let steps: Vec<usize> = kinds.iter().flat_map(of).collect();
        let is_inside = |above: &&usize| {
            steps
                .iter()
                .any(|at| (*at + 1..=ends(*at)).contains(*above))
        };
        let inside = boxes.iter().filter(is_inside).count();
        (inside * ONE_OF >= boxes.len() * (ONE_OF - 1)).then_some(Self(kinds))
    }

    /// The parts of a heading's words, where it is a step. `is_inside`: whether it stands in one.
    pub(crate) fn read(&self, level: u8, words: &str, is_inside: bool) -> Option<Parts> {
        let (word, _, title) = split(words)?;
        let kind = Kind { level, word };
        let at = self.0.iter().position(|one| *one == kind)?;
        // What is counted inside of steps is one only there.
        if !is_inside && level > self.0[0].level && at > 0 {
            return None;
        }
        let mut end = words.len();
        let mut mark = end..end;
        for done in MARKS {
            if let Some(open) = words[..end].strip_suffix(done) {
                end = open.trim_end().len();
                mark = end..words.len();
                break;
            }
        }
        // A heading of number alone is called by it.
        let title = match title.start < end {
            true => title.start..end,
            false => 0..end,
        };
        Some(Parts { title, mark })
    }
}

/// The kind with a word of which most headings are counted from 0 or 1 on; at least two.
fn most(counted: &[Counted]) -> Option<Kind> {
    let mut best: Option<(usize, &Kind)> = None;
    for one in counted
        .iter()
        .filter(|one| !one.kind.word.is_empty() && one.number <= 1)
    {
        let of_kind = counted.iter().filter(|other| other.kind == one.kind);
        let (count, last) = of_kind.fold((0, 0), |(count, last), other| {
            (count + 1, last.max(other.number))
        });
        if count >= 2 && last >= 2 && best.is_none_or(|(most, _)| count > most) {
            best = Some((count, &one.kind));
        }
    }
    best.map(|(_, kind)| kind.clone())
}

/// The word and the first number that a heading begins with, and where its title stands.
fn split(words: &str) -> Option<(String, u32, Span)> {
    const LONGEST: usize = 24;
    let start = words.find(char::is_alphanumeric)?;
    let digit =
        start + words[start..].find(|c: char| !c.is_alphabetic() && !matches!(c, ' ' | '-'))?;
    let word = words[start..digit].trim_end_matches([' ', '-']);
    if word.len() > LONGEST || word.split(' ').count() > 2 {
        return None;
    }
    let number = words[digit..].split(|c: char| !c.is_ascii_digit()).next()?;
    let behind = words[digit..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    // `Task 2b`
    let behind = behind
        .strip_prefix(|c: char| c.is_ascii_lowercase())
        .filter(|rest| !rest.starts_with(char::is_alphanumeric))
        .unwrap_or(behind);
    let rest = behind.trim_start_matches([
        ' ', '\t', ':', '：', ')', '）', '.', '．', '、', '-', '–', '—', '|', '*', '_',
    ]);
    let is_apart = rest.len() < behind.len() || rest.is_empty();
    let is_marked = words[..words.len() - rest.len()]
        .trim_end()
        .ends_with(['.', ')', ':', '：', '、', '-', '–', '—']);
    if !is_apart || word.is_empty() && !is_marked {
        return None;
    }
    let number = number.parse().ok()?;
    Some((
        word.to_lowercase(),
        number,
        words.len() - rest.len()..words.len(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Option<Vec<(u8, String)>> {
        let headed = Headed::of(text, 0)?;
        Some(
            headed
                .0
                .into_iter()
                .map(|kind| (kind.level, kind.word))
                .collect(),
        )
    }

    #[test]
    fn counted_headings_with_one_word_are_steps_in_any_language() {
        for word in [
            "Task",
            "Phase",
            "Schritt",
            "任务",
            "작업",
            "Étape",
            "Задача",
            "Work package",
        ] {
            for mark in [": ", " — ", "：", ". ", " "] {
                let text =
                    format!("# Plan\n\n### {word} 1{mark}One\n\nwords\n\n### {word} 2{mark}Two\n");
                assert_eq!(kinds(&text), Some(vec![(3, word.to_lowercase())]), "{text}");
            }
        }
    }

    #[test]
    fn what_any_document_has_is_no_step() {
        for text in [
            "# Plan\n\n## 1. Overview\n\n## 2. Design\n",
            "# Plan\n\n## Python 3\n\n## Python 4\n",
            "# Plan\n\n## Task 1: one alone\n",
            "```\n## Task 1: a\n## Task 2: b\n```\n",
            "# Plan\n\n## Why 2026 matters\n\n## What 3 risks\n",
        ] {
            assert_eq!(kinds(text), None, "{text}");
        }
    }

    #[test]
    fn boxes_belong_to_the_headings_they_stand_under_or_are_the_plan() {
        let under = "# P\n## Task 1: a\n- [ ] x\n- [ ] y\n## Task 2: b\n- [ ] z\n- [ ] w\n";
        assert!(kinds(under).is_some());
        assert!(kinds(&format!("{under}## At the end\n- [ ] all done\n")).is_some());
        let apart = "# P\n## Option 1: a\n## Option 2: b\n## Steps\n- [ ] x\n- [ ] y\n";
        assert_eq!(kinds(apart), None);
    }

    #[test]
    fn groups_around_and_steps_inside_are_counted_too() {
        let around = "## Phase 1\n### Task 1.1: a\n### Task 1.2: b\n## Phase 2\n### Task 2.1: c\n";
        assert_eq!(
            kinds(around),
            Some(vec![(3, "task".into()), (2, "phase".into())])
        );
        let inside = "## Phase 1\n### 1. a\n### 2. b\n## Phase 2\n### 3. c\n";
        assert_eq!(
            kinds(inside),
            Some(vec![(2, "phase".into()), (3, String::new())])
        );
    }

    #[test]
    fn the_title_stands_behind_the_number_and_before_the_mark() {
        let headed = Headed::of("## Task 1: a\n## Task 2: b\n", 0).expect("steps");
        for (words, title, mark) in [
            ("Task 3: Read the file", "Read the file", ""),
            ("Task 3: Read the file ✅", "Read the file", " ✅"),
            ("Task 3", "Task 3", ""),
            ("**Task 4** — Read [x]", "Read", " [x]"),
        ] {
            let parts = headed.read(2, words, false).expect("a step");
            assert_eq!((&words[parts.title], &words[parts.mark]), (title, mark));
        }
        assert_eq!(headed.read(3, "Task 3: too deep", false), None);
    }
}

//! Finds the goal in the text: a section `## Goal` or a line `**Goal:** …`.
//!
//! **Contract.** Only the text above the tasks is searched. A line has to be before the first
//! section, since a later line states the goal of its section; a section has to be at level 2. The
//! first of these that is not empty is the goal. Code blocks and comments (`<!-- -->`) are ignored.

use crate::dialect::fence::Fence;
use crate::word_list::WordList;

/// Names of a goal section or line, in several languages.
const NAMES: WordList = WordList(
    "goal goals objective objectives ziel ziele objectif objectifs objetivo objetivos 目标 目標 목표 \
    цель",
);

/// The goal stated above the tasks, as written, without surrounding blank lines.
pub(super) fn stated(above: &str) -> Option<String> {
    let mut fence: Option<Fence> = None;
    let mut is_head = true;
    let mut section: Option<Vec<&str>> = None;
    let mut paragraph: Option<Vec<&str>> = None;
    for line in above.lines() {
        let words = line.trim_start_matches(['>', ' ', '\t']);
        if let Some(open) = &fence {
            if open.closes(words) {
                fence = None;
            }
            continue;
        }
        fence = Fence::opened(words, 0);
        let words = if fence.is_some() { "" } else { words };
        if let Some(heading) = heading(words) {
            if let Some(found) = end(&mut section).or_else(|| end(&mut paragraph)) {
                return Some(found);
            }
            is_head &= heading.level < 2;
            if heading.level == 2 && is_name(heading.words) {
                section = Some(Vec::new());
            }
        } else if let Some(lines) = &mut section {
            lines.push(words.trim_end());
        } else if let Some(lines) = &mut paragraph {
            if words.is_empty() || label(words).is_some() {
                if let Some(found) = end(&mut paragraph) {
                    return Some(found);
                }
            } else {
                lines.push(words.trim_end());
            }
        }
        if is_head
            && section.is_none()
            && paragraph.is_none()
            && let Some((name, rest)) = label(words)
            && is_name(name)
        {
            paragraph = Some(vec![rest]);
        }
    }
    end(&mut section).or_else(|| end(&mut paragraph))
}

/// The collected text; `None` if it has no letters or digits.
fn end(lines: &mut Option<Vec<&str>>) -> Option<String> {
    let lines = lines.take()?;
    let is_said =
        |line: &&str| !line.starts_with("<!--") && !matches!(*line, "---" | "***" | "___");
    let said: Vec<&str> = lines.into_iter().filter(is_said).collect();
    let said = said.join("\n").trim().to_owned();
    said.contains(char::is_alphanumeric).then_some(said)
}

struct Heading<'a> {
    level: usize,
    words: &'a str,
}

fn heading(line: &str) -> Option<Heading<'_>> {
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    let is_heading = (1..=6).contains(&level) && words.starts_with([' ', '\t']);
    let words = words.trim().trim_end_matches('#').trim_end();
    is_heading.then_some(Heading { level, words })
}

/// A name and the text after its colon: `Goal: x`, `**Goal:** x`, `**Goal**: x`.
fn label(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = match line.strip_prefix("**") {
        Some(bold) => {
            let (name, rest) = bold.split_once("**")?;
            match name.trim_end().strip_suffix([':', '：']) {
                Some(name) => (name, rest),
                None => (name, rest.trim_start().strip_prefix([':', '：'])?),
            }
        }
        None => line.split_once([':', '：'])?,
    };
    let is_short = !name.is_empty() && name.split_whitespace().count() <= 3;
    is_short.then_some((name.trim(), rest.trim()))
}

fn is_name(words: &str) -> bool {
    let words = words.trim_end_matches([':', '：']).trim().to_lowercase();
    NAMES.contains(words)
}

#[cfg(test)]
mod tests {
    //! Tests which texts are recognized as a goal.

    use super::stated;

    #[test]
    fn a_line_or_a_section_states_the_goal() {
        let cases = [
            ("# T\n\n**Goal:** Do this.\n", Some("Do this.")),
            (
                "# T\n\n**Goal**: Do this\nand that.\n\nMore.\n",
                Some("Do this\nand that."),
            ),
            (
                "# T\n> **Goal:** Do this.\n**Architecture:** Three layers.\n",
                Some("Do this."),
            ),
            ("Goal: Do this.\n", Some("Do this.")),
            ("# T\n\n**目标：** 做这个\n", Some("做这个")),
            (
                "# T\n\n## Goal\n\nDo this.\n\n- and that\n\n## Context\n\nNo.\n",
                Some("Do this.\n\n- and that"),
            ),
            (
                "# T\n\n## Goals:\n\n<!-- what for -->\n\n## Goal\nDo this.\n",
                Some("Do this."),
            ),
            ("# T\n\nThe goal: none of it.\n\nGoals differ.\n", None),
            ("# T\n\n```\nGoal: no\n## Goal\nno\n```\n", None),
            (
                "# T\n\n## Phase 1\n\n**Goal**: of a part\n\n### Goal\n\nof a part\n",
                None,
            ),
            ("# T\n\n**Goal:**\n\nText.\n", None),
        ];
        for (above, goal) in cases {
            assert_eq!(stated(above).as_deref(), goal, "{above}");
        }
    }
}

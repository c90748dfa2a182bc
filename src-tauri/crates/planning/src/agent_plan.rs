//! Plans that other agents write: the prompts for them, and how to find a plan in a message.
//!
//! An agent's plan is kept as the agent wrote it, because a person approves its bytes. Code adds
//! only the goal, in front matter, so that the plan is scored against what was asked for.

use plan::{Plan, edit};

use crate::solver::draft::scalar;

/// Maximum length of a goal or a request for changes in a prompt, in characters.
const MAX_WORDS: usize = 20_000;

/// Describes the plan format to an agent.
pub const FORMAT: &str = "A plan is Markdown:

# Title

## Requirements
- R1 What must be true afterwards

## Tasks
- [ ] **T1** One step, with the names of files and functions that it is about
  - files: `src/report.py`
  - covers: R1
  - verify: `python3 -m unittest`
- [ ] **T2** The next step
  - depends: T1

Every step is small enough to check. `verify:` is a command that fails before the step and passes \
after it. Leave all boxes open. Put a checkpoint in front of anything that can't be undone:
- [ ] **C1** Review the changes
  - type: checkpoint";

/// How an agent hands over its plan.
const HAND_OVER: &str = "When the plan is ready, propose it the way your plan mode does. If your \
plan mode has no such way, answer with the whole plan and nothing else.";

/// Asks for a plan. `requirements` are those that the person listed, and `context` is what they
/// attached, as Markdown.
pub fn first_prompt(goal: &str, requirements: &[String], context: &str) -> String {
    let lines: String = requirements
        .iter()
        .map(|requirement| format!("- {}\n", shown(requirement)))
        .collect();
    let listed = match lines.is_empty() {
        true => lines,
        false => format!("\n\nThe requirements:\n\n{lines}"),
    };
    let attached = match context.trim() {
        "" => String::new(),
        context => format!("\n\n{context}"),
    };
    format!(
        "Write a plan for the goal below. Read the workspace first, but change nothing in it.\n\n\
         {FORMAT}\n\n{HAND_OVER}\n\nThe goal:\n\n{}{listed}{attached}",
        shown(goal)
    )
}

/// Asks the agent that wrote the plan for changes.
pub fn changes_prompt(words: &str) -> String {
    format!(
        "Changes to your plan are requested. Make them and propose the whole plan again, the same \
         way as before. Change nothing else in the workspace.\n\nThe request:\n\n{}",
        shown(words)
    )
}

/// Asks an agent for changes to a plan that it doesn't know.
pub fn changes_prompt_with_plan(plan: &str, words: &str) -> String {
    format!(
        "Change the plan below as requested. Read the workspace first, but change nothing in it.\n\n\
         {FORMAT}\n\n{HAND_OVER}\n\nThe request:\n\n{}\n\nThe plan:\n\n{plan}",
        shown(words)
    )
}

fn shown(words: &str) -> String {
    plan::visible(words).chars().take(MAX_WORDS).collect()
}

/// The plan in an agent's message: the content of a Markdown fence, or the text from its first
/// heading on; without either, all of it.
pub fn plan_in(message: &str) -> &str {
    let message = message.trim();
    let lines = || {
        message.split_inclusive('\n').scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line))
        })
    };
    let is_title = |line: &str| line.starts_with("# ");
    if message.starts_with("---\n") || is_title(message) {
        return message;
    }
    for (at, line) in lines() {
        let fence = line.trim_end();
        let marks = fence.len() - fence.trim_start_matches('`').len();
        let is_markdown = matches!(&fence[marks..], "markdown" | "md");
        if marks >= 3 && is_markdown {
            let (start, end) = (at + line.len(), &fence[..marks]);
            // The plan may itself contain fences, so it ends at the last closing fence.
            let closing = lines().filter(|(at, line)| *at >= start && line.trim_end() == end);
            let close = closing.last().map_or(message.len(), |(at, _)| at);
            return message[start..close].trim();
        }
        if is_title(line) {
            return &message[at..];
        }
    }
    message
}

/// Puts the goal into the plan's front matter, in place of one that the agent wrote. A plan without
/// front matter stays unchanged if front matter would change how its steps are parsed.
pub fn with_goal(text: &str, goal: &str) -> String {
    let goal = goal.split_whitespace().collect::<Vec<_>>().join(" ");
    match goal.is_empty() {
        true => text.to_owned(),
        false => with_front_matter(
            text,
            &format!("---\nplanwright: 1\ngoal: {}\n---", scalar(&goal)),
            Some(&goal),
        ),
    }
}

/// Like [`with_goal`], but adds the front matter of `earlier`, the text that the plan replaces. If
/// the plan has front matter of its own, only the goal is taken from `earlier`.
pub fn with_front_matter_of(text: &str, earlier: &str) -> String {
    let (earlier_plan, _) = plan::parse(earlier);
    let goal = earlier_plan.front.goal.as_deref();
    let front = earlier_plan.front.span.and_then(|span| earlier.get(span));
    front.map_or_else(
        || text.to_owned(),
        |front| with_front_matter(text, front, goal),
    )
}

fn with_front_matter(text: &str, front: &str, goal: Option<&str>) -> String {
    let (before, _) = plan::parse(text);
    if let Some(span) = &before.front.span {
        let Some(goal) = goal else {
            return text.to_owned();
        };
        let set = edit::set_goal(text, &before, goal);
        // Front matter in which no goal can be set is replaced.
        return set
            .and_then(|splices| edit::apply(text, &splices))
            .map_or_else(
                |_| format!("{front}\n{}", text[span.end..].trim_start()),
                |applied| applied.text,
            );
    }
    let with = format!("{front}\n{text}");
    let (after, _) = plan::parse(&with);
    let steps = |plan: &Plan| -> Vec<String> {
        let tasks = plan.tasks.iter();
        tasks
            .map(|task| format!("{} {}", task.id.0, task.title))
            .collect()
    };
    let is_same = before.dialect == after.dialect && steps(&before) == steps(&after);
    match is_same {
        true => with,
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "# Add a flag\n\n## Tasks\n- [ ] **T1** Add `--json`\n";

    #[test]
    fn the_plan_is_found_in_a_message() {
        let fenced = format!("Here it is.\n\n```markdown\n{PLAN}```\nSay when to start.");
        let nested = format!("````md\n{PLAN}\n```sh\nls\n```\n````");
        let cases = [
            (PLAN.to_owned(), PLAN.trim()),
            (format!("Here it is:\n\n{PLAN}"), PLAN.trim()),
            (fenced, PLAN.trim()),
            ("- [ ] Do it".to_owned(), "- [ ] Do it"),
            ("  \n".to_owned(), ""),
        ];
        for (message, plan) in cases {
            assert_eq!(plan_in(&message), plan, "{message}");
        }
        assert!(plan_in(&nested).ends_with("ls\n```"), "{nested}");
        assert_eq!(plan_in("```markdown\n# Cut off"), "# Cut off");
    }

    #[test]
    fn the_goal_is_added_where_it_changes_nothing_else() {
        let with = with_goal(PLAN, "Add a flag: --json\nsoon");
        let (plan, problems) = plan::parse(&with);
        assert_eq!(plan.goal(), Some("Add a flag: --json soon"));
        assert!(problems.is_empty() && with.ends_with(PLAN), "{with}");
        for other in [
            "goal: Delete everything",
            "goal: |\n  Delete\n  all",
            "strategy: upfront",
            "goal: [",
            "id: x\ngoal: a: b",
        ] {
            let own = format!("---\n{other}\n---\n{PLAN}");
            for set in [
                with_goal(&own, "Add a flag: --json soon"),
                with_front_matter_of(&own, &with),
            ] {
                let (plan, _) = plan::parse(&set);
                assert_eq!(plan.goal(), Some("Add a flag: --json soon"), "{set}");
                assert!(set.ends_with(PLAN), "{set}");
            }
        }
        assert_eq!(with_front_matter_of(PLAN, &with), with);
        assert_eq!(with_front_matter_of(PLAN, PLAN), PLAN);
        let numbered = "# Plan\n\n1. Read `a.py`\n2. Write `b.py`\n";
        let (before, _) = plan::parse(numbered);
        let (after, _) = plan::parse(&with_goal(numbered, "Do it"));
        assert_eq!(before.dialect, after.dialect);
    }

    #[test]
    fn prompts_contain_the_words_and_are_bounded() {
        let long = "x".repeat(MAX_WORDS * 2);
        assert!(first_prompt("Add --json", &[], "").ends_with("Add --json"));
        assert!(first_prompt(&long, &[], "").len() < MAX_WORDS + 4_000);
        let listed = first_prompt(
            "Add --json",
            &["It is documented".to_owned()],
            "See `a.py`.",
        );
        assert!(listed.contains("- It is documented\n") && listed.ends_with("See `a.py`."));
        assert!(changes_prompt("Say Servus").ends_with("Say Servus"));
        let asked = changes_prompt_with_plan(PLAN, "Say Servus");
        assert!(asked.contains("Say Servus") && asked.ends_with(PLAN));
    }
}

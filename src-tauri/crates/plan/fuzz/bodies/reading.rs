//! Properties of parsing: any bytes are rejected with a reason, or parsed into valid spans, without
//! a panic.

use plan::coverage::fingerprints;
use plan::diff::{RunKind, diff, summary, words};
use plan::edit::{apply, tick, untick};
use plan::graph::Graph;
use plan::source::{SourceError, decode};
use plan::{Mark, Plan, Task, TaskId};

/// Number of tasks to tick, both at the start and at the end of a text.
const TICKED: usize = 3;

/// Text length above which only one task is ticked and parsed again.
const LONG: usize = 100_000;

pub fn parse(data: &[u8]) {
    match decode(data) {
        Ok(text) => assert_eq!(text.as_bytes(), data),
        Err(SourceError::Binary { at, .. }) => assert_eq!(data[at], 0),
        Err(SourceError::NotUtf8 { at, .. }) => {
            assert!(std::str::from_utf8(&data[..at]).is_ok());
            assert!(std::str::from_utf8(data).is_err());
        }
        Err(SourceError::TooLarge { .. }) => return,
    }
    let text = super::text_of(data);
    let (read, problems) = plan::parse(&text);
    spans_fit(&text, &read);
    tasks_nest(&read);
    let last = text.split(['\n', '\r']).count();
    assert!(problems.iter().all(|problem| problem.line as usize <= last));
    assert!(problems.is_sorted_by_key(|problem| problem.line));
    let graph = Graph::of(&read);
    graph.cycles();
    fingerprints(&text, &read);
    let (done, total) = read.counted();
    assert!(done <= total && total <= read.tasks.len());
    ticks(&text, &read);
    let same = diff((&text, &read), (&text, &read));
    assert!(same.tasks.is_empty() && same.around.is_empty());
    assert_eq!(
        (same.unchanged, summary(&same, 3)),
        (read.tasks.len(), String::new())
    );
    if let Some((before, after)) = text.split_once('\n') {
        let runs = words(before, after);
        let side = |not: RunKind| -> String {
            let runs = runs.iter().filter(|run| run.kind != not);
            runs.map(|run| run.text.as_str()).collect()
        };
        assert_eq!(
            [side(RunKind::Added), side(RunKind::Removed)],
            [before, after]
        );
    }
}

/// Asserts that every span is inside the text and on character boundaries.
fn spans_fit(text: &str, plan: &Plan) {
    let fits = |span: &plan::Span| assert!(text.get(span.clone()).is_some(), "{span:?}");
    plan.front.span.iter().for_each(fits);
    fits(&plan.preamble);
    plan.decisions_section.iter().for_each(fits);
    plan.requirements.iter().for_each(|found| fits(&found.span));
    plan.decisions.iter().for_each(|found| fits(&found.span));
    if let Some(title) = &plan.title {
        assert_eq!(text.get(title.span.clone()), Some(title.text.as_str()));
    }
    for task in &plan.tasks {
        fits(&task.span);
        assert!(text.get(task.box_span.clone()).is_some());
        fits(&task.title_span);
        // A title in the front matter may be quoted, or span several lines.
        if task.mark != Mark::Status {
            assert_eq!(text.get(task.title_span.clone()), Some(task.title.as_str()));
        }
        if let Some(id) = &task.id_span {
            assert_eq!(text.get(id.clone()), Some(task.id.as_str()));
        }
        for field in &task.fields {
            fits(&field.span);
            assert_eq!(
                text.get(field.value_span.clone()),
                Some(field.value.as_str())
            );
        }
    }
}

fn tasks_nest(plan: &Plan) {
    let inside = |inner: &plan::Span, outer: &plan::Span| {
        assert!(
            outer.start <= inner.start && inner.end <= outer.end,
            "{inner:?} in {outer:?}"
        );
    };
    let mut last_box = 0;
    for (at, task) in plan.tasks.iter().enumerate() {
        assert!(task.box_span.start >= last_box);
        last_box = task.box_span.end;
        inside(&task.box_span, &task.span);
        inside(&task.title_span, &task.span);
        if task.mark == Mark::Box {
            assert!(task.box_span.end <= task.title_span.start);
        }
        task.id_span.iter().for_each(|id| inside(id, &task.span));
        for field in &task.fields {
            inside(&field.value_span, &field.span);
            inside(&field.span, &task.span);
        }
        if let Some(parent) = task.parent {
            let around = &plan.tasks[parent];
            assert!(parent < at && around.children.contains(&at));
            inside(&task.span, &around.span);
            assert_eq!(task.depth, around.depth + 1);
        } else {
            assert_eq!(task.depth, 0);
        }
        for pair in task.children.windows(2) {
            assert!(plan.tasks[pair[0]].span.end <= plan.tasks[pair[1]].span.start);
        }
    }
    let tops: Vec<&Task> = plan
        .tasks
        .iter()
        .filter(|task| task.parent.is_none())
        .collect();
    for pair in tops.windows(2) {
        assert!(pair[0].span.end <= pair[1].span.start);
    }
}

/// Checks that ticking a task changes one box and marks only that task as done.
fn ticks(text: &str, plan: &Plan) {
    let count = plan.tasks.len();
    let (first, last) = if text.len() < LONG {
        (TICKED, TICKED)
    } else {
        (0, 1)
    };
    let chosen = (0..count).filter(|at| *at < first || at + last >= count);
    let faces = |plan: &Plan| -> Vec<(TaskId, String, bool)> {
        let tasks = plan.tasks.iter();
        tasks
            .map(|task| (task.id.clone(), task.title.clone(), task.done))
            .collect()
    };
    for at in chosen {
        let task = &plan.tasks[at];
        if task.done || plan.index_of(&task.id) != Some(at) {
            continue;
        }
        let splices = tick(plan, &task.id).expect("the task is there");
        let [splice] = &splices[..] else {
            panic!("a tick is one replacement, and not {splices:?}");
        };
        assert_eq!(splice.range, task.box_span);
        let ticked = apply(text, &splices).expect("a splice of this text applies");
        if task.box_span.len() == 1 {
            let (old, new) = (text.as_bytes(), ticked.text.as_bytes());
            let differ = old.iter().zip(new).filter(|(a, b)| a != b).count();
            assert_eq!((old.len(), differ), (new.len(), 1));
        }
        let (after, _) = plan::parse(&ticked.text);
        let mut expected = faces(plan);
        expected[at].2 = true;
        assert_eq!(faces(&after), expected);
        let back = apply(&ticked.text, &ticked.inverse).expect("an inverse applies");
        assert_eq!(back.text, text);
        untick(&after, &task.id).expect("the task is there");
    }
}

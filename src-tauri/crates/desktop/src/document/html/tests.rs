//! Tests of the exported page: its content, and that no text in a plan becomes markup.

use std::sync::Arc;

use super::page;
use crate::document::ParsedPlan;
use workbench::plan_file::Content;

fn exported(text: &str) -> String {
    let content = Content {
        revision: plan::Revision::of(text.as_bytes()),
        text: text.to_owned(),
    };
    let parsed = ParsedPlan::new("/w/plans/a.md", content, Arc::default());
    page(&parsed, "plans/a.md")
}

const PLAN: &str = "\
---
planwright: 1
goal: Report as JSON
---
# Add a `--json` flag

Consumers pipe the *report*.

## Requirements
- R1: one JSON object per row

## Tasks
- [x] T1 Find the rows
  - files: src/report.py
- [ ] T2 Clean up things
  Keep the **default** output.
  - depends: T1
  - verify: `python3 -m unittest`
  - covers: R1
  - [ ] T2a Add the flag
- [ ] D1 Which layout?
  - type: decision
  - option: One object -> T2
  - option: Stop -> stop
- [ ] T3 Ship it
  - skipped: not now
";

#[test]
fn an_exported_page_has_every_step_with_its_state_the_score_and_the_findings() {
    let html = exported(PLAN);
    for part in [
        "<title>Add a `--json` flag</title>",
        "<h1 dir=\"auto\">Add a <code>--json</code> flag</h1>",
        "plans/a.md",
        "<em>report</em>",
        "<b>R1</b> one JSON object per row <span class=\"facts\">(covered by T2)</span>",
        "✓</span> Done</span> <span class=\"id\">T1</span> Find the rows</h3>",
        "○</span> Open</span> <span class=\"id\">T2</span> Clean up things</h3>",
        "<strong>default</strong>",
        "<dt>Checks</dt>\n<dd><code dir=\"ltr\">python3 -m unittest</code></dd>",
        "<dt>Depends on</dt>\n<dd dir=\"auto\">T1</dd>",
        "margin-inline-start:22px",
        "Which layout? <span class=\"facts\">(decision)</span></h3>",
        "–</span> Skipped</span> <span class=\"id\">T3</span> Ship it</h3>\n<p dir=\"auto\">Skipped: not now</p>",
        "<h2>Score: ",
        "<b>Coverage: ",
        " finding",
    ] {
        assert!(html.contains(part), "{part}\n\n{html}");
    }
    assert!(
        html.contains("<b>Major</b> · T2: ") || html.contains("<b>Critical</b> · T2: "),
        "{html}"
    );
}

#[test]
fn nothing_of_a_plan_becomes_markup_or_is_loaded() {
    let evil = "<script>alert(1)</script><img src=x onerror=alert(1)>";
    let text = format!(
        "# {evil}\n\n{evil}\n\n![p](https://example.org/p.png) [l](javascript:alert(1))\n\n\
         ## Requirements\n- R1: {evil}\n\n## Tasks\n- [ ] T1 {evil} `{evil}`\n  {evil}\n\
         \n  - files: {evil}\n  - odd\"key: {evil}\n  - verify: `{evil}`\n- [ ] T2 x\n  - skipped: {evil}\n"
    );
    let html = exported(&text);
    let (head, body) = html.split_once("</head>").unwrap();
    assert!(head.contains("default-src 'none'; style-src 'unsafe-inline'"));
    assert!(!head.contains("<script"), "{head}");
    for part in [
        "<script",
        "<img",
        "<link",
        "<iframe",
        "src=\"",
        "url(",
        "javascript:\"",
        "href=\"javascript",
    ] {
        assert!(!body.contains(part), "{part}\n\n{body}");
    }
    assert!(body.contains("&lt;script&gt;"));
}

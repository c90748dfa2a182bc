//! A plan as one HTML page, to read or send without Planwright.
//!
//! Plans aren't trusted: every text is escaped or rendered by [`workbench::markdown`], the page has
//! no scripts and its policy forbids them, and it loads nothing. Nothing is truncated, because the
//! recipient of a page must see the whole plan.

use std::fmt::{self, Display, Write as _};
use std::path::{Path, PathBuf};

use adequacy::{Finding, Report};
use plan::Task;

use super::outline::{badge, percent};
use super::parsed::ParsedPlan;
use super::rows;
use crate::Desktop;
use workbench::error::Result;
use workbench::markdown;
use workbench::text::counted;

/// The page's style, in the colors of the window.
const STYLE: &str = include_str!("html.css");

/// Number of digits of the revision to show.
const SHOWN_DIGITS: usize = 12;

/// Keys of a step and their labels on the page. Any other key is its own label.
const LABELS: [(&str, &str); 12] = [
    ("depends", "Depends on"),
    ("files", "Files"),
    ("verify", "Checks"),
    ("accept", "Done when"),
    ("covers", "Covers"),
    ("option", "Options"),
    ("by", "Done by"),
    ("why", "Why"),
    ("note", "Notes"),
    ("assume", "Assumes"),
    ("needs", "Needs"),
    ("tools", "Tools"),
];

/// Keys that aren't listed under a step, because the page shows them elsewhere.
const SHOWN_ELSEWHERE: [&str; 4] = ["type", "skipped", "mute", "origin"];

impl Desktop {
    /// Writes a revision of a plan as a web page to a file that the user chose, and returns its
    /// path. A name without an extension gets `.html`.
    ///
    /// # Errors
    /// Same as [`Desktop::outline`]; [`workbench::Code::Usage`] if the file is the plan itself;
    /// [`workbench::Code::Workspace`] if it can't be written.
    pub fn export_html(&self, plan: &str, revision: &str, to: &Path) -> Result<PathBuf> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        let located = self.shared.locate(&self.shared.workbench(), plan)?;
        let mut to = to.to_owned();
        if to.extension().is_none() {
            to.set_extension("html");
        }
        let is_plan = to
            .canonicalize()
            .is_ok_and(|found| found == Path::new(plan) || found == located.file.path);
        if is_plan {
            return Err(err!(Usage:
                "{} is the plan itself; choose another file", to.display()));
        }
        std::fs::write(&to, page(&parsed, &located.shown()))
            .map_err(|error| err!(Workspace: "couldn't write {}: {error}", to.display()))?;
        Ok(to)
    }
}

/// The whole page as HTML.
fn page(parsed: &ParsedPlan, path: &str) -> String {
    let plan = &parsed.plan;
    let title = plan.title.as_ref().map_or("", |title| title.text.as_str());
    let title = match title.trim() {
        "" => "Untitled plan",
        title => title,
    };
    let (done, total) = super::summaries::progress(plan);
    let steps = counted(total as usize, "step");
    let revision = parsed.revision().as_str();
    let revision = revision.get(..SHOWN_DIGITS).unwrap_or(revision);
    let badge = badge(&parsed.report);
    let mut out = String::with_capacity(parsed.text().len() * 3 + STYLE.len());
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1 dir=\"auto\">{heading}</h1>\n\
         <p class=\"facts\"><bdi>{path}</bdi> · revision {revision} · {word} {score} · {done} of {steps} done</p>\n",
        title = Escaped(title),
        heading = Inline(title),
        path = Escaped(path),
        word = Escaped(&badge.word),
        score = badge.score,
    );
    if let Some(intro) = plan::edit::intro(parsed.text(), plan) {
        out.push_str(&whole(&parsed.text()[intro]));
    }
    requirements(&mut out, parsed);
    out.push_str("<h2>Steps</h2>\n");
    if plan.tasks.is_empty() {
        out.push_str("<p class=\"facts\">This plan has no steps.</p>\n");
    }
    for task in &plan.tasks {
        step(&mut out, task);
    }
    score(&mut out, &parsed.report);
    findings(&mut out, &parsed.report);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn requirements(out: &mut String, parsed: &ParsedPlan) {
    let requirements = &parsed.plan.requirements;
    if requirements.is_empty() {
        return;
    }
    out.push_str("<h2>Requirements</h2>\n<ul>\n");
    for one in requirements {
        let covering = parsed.plan.tasks.iter();
        let covering = covering.filter(|task| task.covers.contains(&one.id));
        let covering: Vec<&str> = covering.map(|task| task.id.as_str()).collect();
        let covered = match covering[..] {
            [] => "not covered".to_owned(),
            _ => format!("covered by {}", covering.join(", ")),
        };
        let _ = writeln!(
            out,
            "<li dir=\"auto\"><b>{}</b> {} <span class=\"facts\">({})</span></li>",
            Escaped(&one.id),
            Inline(&one.text),
            Escaped(&covered),
        );
    }
    out.push_str("</ul>\n");
}

fn step(out: &mut String, task: &Task) {
    let (state, mark) = match (&task.skipped, task.done) {
        (Some(_), _) => ("Skipped", "–"),
        (None, true) => ("Done", "✓"),
        (None, false) => ("Open", "○"),
    };
    let kind = match rows::kind_of(task, task.is_group()) {
        kind @ ("checkpoint" | "decision") => format!(" <span class=\"facts\">({kind})</span>"),
        _ => String::new(),
    };
    let title = match task.title.trim() {
        "" => "Untitled step",
        title => title,
    };
    let _ = writeln!(
        out,
        "<section class=\"step\" data-state=\"{state}\" style=\"margin-inline-start:{indent}px\">\n\
         <h3 dir=\"auto\"><span class=\"state\"><span aria-hidden=\"true\">{mark}</span> {state}</span> \
         <span class=\"id\">{id}</span> {title}{kind}</h3>",
        indent = task.depth.min(12) * 22,
        id = Escaped(task.id.as_str()),
        title = Inline(title),
    );
    if let Some(why) = &task.skipped {
        let _ = writeln!(out, "<p dir=\"auto\">Skipped: {}</p>", Inline(why));
    }
    out.push_str(&whole(&task.body));
    let fields = rows::fields(task);
    let mut fields = fields
        .iter()
        .filter(|field| !SHOWN_ELSEWHERE.contains(&field.key.as_str()))
        .peekable();
    if fields.peek().is_some() {
        out.push_str("<dl>\n");
        for field in fields {
            let label = LABELS.iter().find(|(key, _)| *key == field.key);
            let label = label.map_or(field.key.as_str(), |(_, label)| label);
            let _ = writeln!(out, "<dt>{}</dt>", Escaped(label));
            if field.values.is_empty() {
                out.push_str("<dd>none</dd>\n");
            }
            let is_code = ["files", "verify", "call"].contains(&field.key.as_str());
            for value in &field.values {
                let _ = match is_code {
                    true => writeln!(out, "<dd><code dir=\"ltr\">{}</code></dd>", Escaped(value)),
                    false => writeln!(out, "<dd dir=\"auto\">{}</dd>", Inline(value)),
                };
            }
        }
        out.push_str("</dl>\n");
    }
    out.push_str("</section>\n");
}

/// Writes the four dimensions of the score, and the deductions.
fn score(out: &mut String, report: &Report) {
    let badge = badge(report);
    let _ = writeln!(
        out,
        "<h2>Score: {} {}</h2>\n<ul>",
        Escaped(&badge.word),
        badge.score
    );
    for one in &report.dimensions {
        let share = one
            .share
            .map_or("unknown".to_owned(), |share| format!("{}%", percent(share)));
        let name = one.name.as_str();
        let missing = one.missing.as_ref().map_or("", |one| one.message.as_str());
        let _ = writeln!(
            out,
            "<li><b>{}: {share}.</b> {} {}</li>",
            Escaped(&capitalized(name)),
            Inline(&one.credited),
            Inline(missing),
        );
    }
    for one in report.reasons.iter().filter(|one| one.factor < 1.0) {
        let points = percent(1.0 - one.factor);
        let _ = writeln!(out, "<li><b>−{points}%.</b> {}</li>", Inline(&one.message));
    }
    out.push_str("</ul>\n");
}

fn findings(out: &mut String, report: &Report) {
    let (muted, open): (Vec<&Finding>, Vec<&Finding>) =
        report.findings.iter().partition(|one| one.muted.is_some());
    let _ = writeln!(
        out,
        "<h2>{}</h2>",
        capitalized(&counted(open.len(), "finding"))
    );
    for (heading, findings) in [(None, open), (Some("Muted"), muted)] {
        if findings.is_empty() {
            continue;
        }
        if let Some(heading) = heading {
            let _ = writeln!(out, "<h3>{heading}</h3>");
        }
        out.push_str("<ul>\n");
        for one in findings {
            let place = one.task.as_ref().map_or("Whole plan", |task| task.as_str());
            let _ = write!(
                out,
                "<li dir=\"auto\"><b>{}</b> · {}: {}",
                Escaped(&capitalized(one.severity.as_str())),
                Escaped(place),
                Inline(&one.message),
            );
            if let Some(question) = &one.question {
                let _ = write!(out, " <i>{}</i>", Inline(question));
            }
            if let Some(why) = &one.muted {
                let _ = write!(out, " <span class=\"facts\">Muted: {}</span>", Inline(why));
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ul>\n");
    }
}

/// Renders Markdown without truncating it.
fn whole(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        _ => format!(
            "<div class=\"text\" dir=\"auto\">{}</div>\n",
            markdown::render(text, usize::MAX)
        ),
    }
}

fn capitalized(word: &str) -> String {
    let mut rest = word.chars();
    rest.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(rest).collect()
    })
}

/// Escapes the characters of a text that are special in HTML.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// One line of text in which backticks mark code.
struct Inline<'a>(&'a str);

impl Display for Inline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((before, after)) = rest.split_once('`') {
            let Some((code, behind)) = after.split_once('`').filter(|(code, _)| !code.is_empty())
            else {
                break;
            };
            write!(f, "{}<code>{}</code>", Escaped(before), Escaped(code))?;
            rest = behind;
        }
        write!(f, "{}", Escaped(rest))
    }
}

#[cfg(test)]
mod tests;

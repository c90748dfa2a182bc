//! Measures adequacy on plans from other projects: `cargo xtask eval --adequacy --corpus FOLDER`.
//!
//! The folder contains `index.json` (a list of `{id, language, goal_language, repo}`),
//! `ID/tasks.md` and `ID/goal.md` for each id, and `coverage.jsonl`, with one line per requirement
//! that a human reader judged: `{id, requirement, covered, covering_task_lines}`. Prints the
//! distribution of the scores, how far they drop when a plan is made worse, and how often the
//! coverage verdict matches the reader's.
#![allow(clippy::print_stdout, reason = "command-line output")]

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::Path;

use adequacy::{Badge, CheckInput, PlanDepth, Report, WorkspaceFacts};
use plan::{Plan, Requirement};
use serde::Deserialize;

/// One plan of the corpus.
#[derive(Deserialize)]
struct Entry {
    id: String,
    repo: String,
    language: String,
    goal_language: Option<String>,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    goal: String,
}

/// A requirement that a human reader judged.
#[derive(Deserialize)]
struct Judged {
    id: String,
    requirement: String,
    covered: bool,
    #[serde(default)]
    covering_task_lines: Vec<u32>,
    #[serde(default)]
    unsure: bool,
    #[serde(default)]
    partial: bool,
}

/// Generic sentences for each language.
const HOLLOW: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "Do the next part of the work",
            "Make the changes that are needed",
            "Continue with what is left",
            "Take care of the remaining things",
            "Make sure that everything works",
            "Go through it once more and finish it",
        ],
    ),
    (
        "de",
        &[
            "Den nächsten Teil der Arbeit machen",
            "Die nötigen Änderungen vornehmen",
            "Den Rest erledigen",
        ],
    ),
    (
        "es",
        &[
            "Hacer la siguiente parte del trabajo",
            "Hacer los cambios necesarios",
            "Terminar lo que queda",
        ],
    ),
    (
        "it",
        &[
            "Fare la prossima parte del lavoro",
            "Fare le modifiche necessarie",
            "Finire quello che resta",
        ],
    ),
    (
        "fr",
        &[
            "Faire la partie suivante du travail",
            "Faire les changements nécessaires",
            "Finir ce qui reste",
        ],
    ),
    (
        "vi",
        &[
            "Làm phần tiếp theo của công việc",
            "Thực hiện các thay đổi cần thiết",
            "Hoàn thành phần còn lại",
        ],
    ),
    (
        "ru",
        &[
            "Сделать следующую часть работы",
            "Внести нужные изменения",
            "Закончить всё, что осталось",
        ],
    ),
    (
        "zh",
        &["做下一部分工作", "进行必要的修改", "完成剩下的事情"],
    ),
    (
        "ja",
        &["次の作業を行う", "必要な変更を行う", "残りを終わらせる"],
    ),
    (
        "ko",
        &[
            "다음 부분의 작업을 한다",
            "필요한 변경을 한다",
            "나머지를 끝낸다",
        ],
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: corpus FOLDER")?;
    let folder = Path::new(&folder);
    let index = std::fs::read_to_string(folder.join("index.json"))?;
    let mut entries: Vec<Entry> = serde_json::from_str(&index)?;
    let listed = entries.len();
    for entry in &mut entries {
        let own = folder.join(&entry.id);
        entry.text = std::fs::read_to_string(own.join("tasks.md")).unwrap_or_default();
        entry.goal = std::fs::read_to_string(own.join("goal.md")).unwrap_or_default();
    }
    entries.retain(|entry| !entry.text.is_empty());
    println!("{} of {listed} plans are Markdown", entries.len());
    spread(&entries);
    worse(&entries);
    let rows = std::fs::read_to_string(folder.join("coverage.jsonl"))?;
    let rows: Result<Vec<Judged>, _> = rows.lines().map(serde_json::from_str).collect();
    requirements(&entries, &rows?);
    Ok(())
}

fn report(text: &str, goal: &str, wanted: &[Requirement]) -> (Plan, Report) {
    let (plan, problems) = plan::parse(text);
    let report = adequacy::check(&CheckInput {
        requirements: wanted,
        plan: &plan,
        problems: &problems,
        goal: Some(goal).filter(|goal| !goal.is_empty()),
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts: &WorkspaceFacts::default(),
        has_model: true,
    });
    (plan, report)
}

/// The score as displayed, 0 to 100.
fn points(report: &Report) -> i32 {
    (report.score * 100.0).round() as i32
}

fn dialect(id: &str) -> &str {
    id.split('/').next().unwrap_or_default()
}

fn spread(entries: &[Entry]) {
    let mut scores: BTreeMap<&str, BTreeMap<i32, usize>> = BTreeMap::new();
    let mut tenths: BTreeMap<&str, BTreeMap<i32, usize>> = BTreeMap::new();
    let mut badges: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        let (_, report) = report(&entry.text, &entry.goal, &[]);
        let of_dialect = scores.entry(dialect(&entry.id)).or_default();
        *of_dialect.entry(points(&report)).or_default() += 1;
        let of_dialect = tenths.entry(dialect(&entry.id)).or_default();
        *of_dialect
            .entry((report.score * 1000.0).round() as i32)
            .or_default() += 1;
        *badges.entry(report.badge.as_str()).or_default() += 1;
    }
    println!("\nspread\n  {badges:?}");
    for (dialect, scores) in scores {
        let plans: usize = scores.values().sum();
        let (score, most) = scores
            .iter()
            .max_by_key(|(_, count)| **count)
            .unwrap_or((&0, &0));
        let all: Vec<String> = scores
            .iter()
            .map(|(score, count)| format!("{score}×{count}"))
            .collect();
        println!(
            "  {dialect:12} {plans:3} plans, {most} with score {score} ({}%; {} to a tenth of a point): {}",
            most * 100 / plans,
            tenths[dialect].values().max().unwrap_or(&0),
            all.join(" ")
        );
    }
}

/// A count out of a total.
#[derive(Default)]
struct Share {
    yes: usize,
    all: usize,
}

impl Share {
    fn add(&mut self, is_so: bool) {
        self.yes += usize::from(is_so);
        self.all += 1;
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = self.yes as f64 * 100.0 / self.all.max(1) as f64;
        write!(f, "{} of {} ({percent:.0}%)", self.yes, self.all)
    }
}

fn worse(entries: &[Entry]) {
    let (mut hollow, mut never_fair) = (Share::default(), Share::default());
    let (mut english, mut others, mut cut) = (Share::default(), Share::default(), Share::default());
    for (nth, entry) in entries.iter().enumerate() {
        let (plan, own) = report(&entry.text, &entry.goal, &[]);
        if plan.tasks.is_empty() {
            println!("  no steps found in {}", entry.id);
        }
        let text = hollowed(entry, &plan);
        let (_, emptied) = report(&text, &entry.goal, &[]);
        hollow.add(points(&own) - points(&emptied) >= 30);
        never_fair.add(!matches!(emptied.badge, Badge::Fair | Badge::Adequate));
        let language = |entry: &Entry| entry.goal_language.clone().unwrap_or_default();
        let foreign = (1..entries.len())
            .map(|step| &entries[(nth + step * 7) % entries.len()])
            .find(|other| other.repo != entry.repo && language(other) == language(entry));
        if let Some(foreign) = foreign {
            let (_, other) = report(&entry.text, &foreign.goal, &[]);
            let share = match entry.language.as_str() {
                "en" => &mut english,
                _ => &mut others,
            };
            share.add(points(&own) - points(&other) >= 20);
        }
        if plan.tasks.len() > 1 {
            let keep = (plan.tasks.len() / 5).max(1);
            let lines: HashSet<u32> = plan.tasks[keep..].iter().map(|task| task.line).collect();
            let (_, shorter) = report(&without(&entry.text, &plan, &lines), &entry.goal, &[]);
            cut.add(points(&own) - points(&shorter) >= 10);
        }
    }
    println!("\nmade worse");
    println!("  hollow steps: 30 points lower: {hollow}; below fair: {never_fair}");
    println!("  another goal: 20 points lower: {english} in English, {others} in other languages");
    println!("  four fifths removed: 10 points lower: {cut}");
}

/// The plan with the words of every step replaced and all text below the steps removed.
fn hollowed(entry: &Entry, plan: &Plan) -> String {
    let sentences = HOLLOW
        .iter()
        .find(|(language, _)| *language == entry.language);
    let sentences = sentences.map_or(HOLLOW[0].1, |(_, sentences)| *sentences);
    let mut text = String::new();
    let mut at = 0;
    for (nth, task) in plan.tasks.iter().enumerate() {
        let start = match task.parent {
            None => at,
            // Drop the text before a sub-task, but keep its bullet.
            Some(_) => {
                text.push('\n');
                task.span.start
            }
        };
        text.push_str(&entry.text[start..task.title_span.start.max(start)]);
        text.push_str(sentences[nth % sentences.len()]);
        let mut top = task;
        while let Some(parent) = top.parent {
            top = &plan.tasks[parent];
        }
        at = at.max(top.span.end);
    }
    text.push_str(&entry.text[at..]);
    text
}

/// The text without the tasks on these lines and without anything nested below them.
fn without(text: &str, plan: &Plan, lines: &HashSet<u32>) -> String {
    let mut left = String::new();
    let mut at = 0;
    for task in plan.tasks.iter().filter(|task| lines.contains(&task.line)) {
        if task.span.start >= at {
            left.push_str(&text[at..task.span.start]);
            at = task.span.end;
        }
    }
    left.push_str(&text[at..]);
    left
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<Requirement> {
    let lines: Vec<String> = texts
        .map(|text| format!("- {}", text.replace('\n', " ")))
        .collect();
    let (list, _) = plan::parse(&format!(
        "# List\n\n## Requirements\n\n{}\n",
        lines.join("\n")
    ));
    list.requirements
}

fn requirements(entries: &[Entry], rows: &[Judged]) {
    let (mut covered, mut line, mut open, mut foreign, mut alone, mut partly) =
        <(Share, Share, Share, Share, Share, Share)>::default();
    let judged =
        |entry: &Entry| -> Vec<&Judged> { rows.iter().filter(|row| row.id == entry.id).collect() };
    for (nth, entry) in entries.iter().enumerate() {
        let own = judged(entry);
        if own.is_empty() {
            continue;
        }
        let wanted = list(own.iter().map(|row| row.requirement.as_str()));
        let (plan, report_of_own) = report(&entry.text, &entry.goal, &wanted);
        for (row, found) in own.iter().zip(&report_of_own.requirements) {
            if row.unsure || row.partial {
                continue;
            }
            if !row.covered {
                open.add(!found.covered);
                continue;
            }
            covered.add(found.covered);
            line.add(
                found
                    .lines
                    .iter()
                    .any(|line| row.covering_task_lines.contains(line)),
            );
            if let [only] = row.covering_task_lines[..] {
                let text = without(&entry.text, &plan, &HashSet::from([only]));
                let (_, less) = report(&text, &entry.goal, &wanted);
                let named = less.requirements.iter().find(|one| one.text == found.text);
                let is_open = named.is_some_and(|one| !one.covered);
                alone.add(is_open);
                let start: String = found.text.chars().take(30).collect();
                let mut told = less
                    .findings
                    .iter()
                    .filter(|finding| finding.task.is_none());
                partly.add(is_open || told.any(|finding| finding.message.contains(&start)));
            }
        }
        let others = (1..entries.len()).map(|step| &entries[(nth + step) % entries.len()]);
        let others = others.filter(|other| {
            other.repo != entry.repo
                && other.language == entry.language
                && !judged(other).is_empty()
        });
        for other in others.take(3) {
            let wanted = list(judged(other).iter().map(|row| row.requirement.as_str()));
            let (_, report) = report(&entry.text, &entry.goal, &wanted);
            for one in report.requirements {
                foreign.add(!one.covered);
            }
        }
    }
    println!("\nrequirements");
    println!("  covered: judged covered: {covered}; with a correct line: {line}");
    println!("  open: judged open: {open}; from another plan: {foreign}");
    println!("  only covering step removed: judged open: {alone}; or named in a finding: {partly}");
}

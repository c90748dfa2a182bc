//! Tests of which headings are steps, and where their titles and check marks are.

use super::*;

/// The level and the text of each step's heading.
fn steps(text: &str) -> Vec<(u8, &str)> {
    let found = HeadingSteps::of(text, 0).map_or(Vec::new(), |heading_steps| {
        heading_steps.0.into_iter().collect()
    });
    let (all, _) = headings(text, 0);
    let of = |at| {
        all.iter()
            .find(|heading| heading.at == at)
            .expect("a heading")
    };
    found
        .iter()
        .map(|(at, _)| (of(*at).level, &text[of(*at).words.clone()]))
        .collect()
}

#[test]
fn headings_numbered_with_a_word_for_work_are_steps_in_any_language() {
    for (first, second) in [
        ("Task 1", "Task 2"),
        ("Task 1", "Task 1"),
        ("Task #1", "Task #2"),
        ("TASK 7", "Task 8"),
        ("Phase 0", "Phase 1"),
        ("Phase I", "Phase II"),
        ("Phase A", "Phase B"),
        ("Work package 1", "Work package 2"),
        ("Sub-task 1.1", "Sub-task 1.2"),
        ("Task 1a", "Task 1b"),
        ("(Task 1)", "(Task 2)"),
        ("🚀 Step 1", "🔧 Step 2"),
        ("Step 1️⃣", "Step 2️⃣"),
        ("T1", "T2"),
        ("Schritt 1", "Schritt 2"),
        ("1. Schritt", "2. Schritt"),
        ("Aufgabe 1", "Aufgabe 2"),
        ("Étape 1 ", "Étape 2 "),
        ("Étape de test 1", "Étape de test 2"),
        ("Paso 1", "Paso 2"),
        ("1ª etapa", "2ª etapa"),
        ("Шаг 1", "Шаг 2"),
        ("Этап А", "Этап Б"),
        ("Adım 1", "Adım 2"),
        ("1. Adım", "2. Adım"),
        ("Giai đoạn 1", "Giai đoạn 2"),
        ("المهمة ١", "المهمة ٢"),
        ("चरण १", "चरण २"),
        ("ขั้นตอนที่ 1", "ขั้นตอนที่ 2"),
        ("任务１", "任务２"),
        ("步骤一", "步骤二"),
        ("开发任务 1", "开发任务 2"),
        ("第一步", "第二步"),
        ("第1阶段", "第2阶段"),
        ("第十一步", "第十二步"),
        ("【任务1】", "【任务2】"),
        ("ステップ１", "ステップ２"),
        ("作業 1", "作業 2"),
        ("1단계", "2단계"),
        ("작업 1", "작업 2"),
    ] {
        for mark in [": ", " — ", "：", ". "] {
            let (one, two) = (format!("{first}{mark}One"), format!("{second}{mark}Two"));
            let text = format!("# Plan\n\n### {one}\n\nwords\n\n### {two}\n");
            assert_eq!(steps(&text), [(3, &*one), (3, &*two)], "{text}");
            if one.starts_with(|c: char| c.is_ascii_digit()) && first.contains(". ") {
                continue;
            }
            let text = format!("# Plan\n\n{one}\n---\n\nwords\n\n## {two} ##\n");
            assert_eq!(steps(&text), [(2, &*one), (2, &*two)], "{text}");
        }
    }
}

#[test]
fn ordinary_numbered_headings_are_not_steps() {
    for (first, second) in [
        ("1. Overview", "2. Design"),
        ("1.1 Overview", "1.2 Design"),
        ("Python 3", "Python 4"),
        ("Task 1: one alone", "Then"),
        ("Why 2026 matters", "What 3 risks"),
        ("Chapter 1: One", "Chapter 2: Two"),
        ("Section 1: One", "Section 2: Two"),
        ("Version 1.1.0", "Version 1.0.0"),
        ("Question 1: Why?", "Question 2: How?"),
        ("Option 1: Redis", "Option 2: Postgres"),
        ("Example 1: One", "Example 2: Two"),
        ("Risk 1: One", "Risk 2: Two"),
        ("Transaction 1: One", "Transaction 2: Two"),
        ("第一章：一", "第二章：二"),
        ("同步 1：一", "同步 2：二"),
        ("1. Task lists", "2. Step functions"),
        ("1. 任务列表", "2. 任务流程"),
        ("1. 작업 개요", "2. 작업 환경"),
        ("Phase diagrams", "Phase transitions"),
    ] {
        let text = format!("# Plan\n\n## {first}\n\nUse `a.rs`.\n\n## {second}\n\nwords\n");
        assert_eq!(steps(&text), [], "{text}");
    }
    let two = "## Task 1: a\n## Task 2: b\n";
    let quoted = format!("> {}", two.replace("\n#", "\n> #"));
    let indented = format!("    {}", two.replace("\n#", "\n    #"));
    for hidden in [
        format!("```\n{two}```\n"),
        format!("<!--\n{two}-->\n"),
        format!("<div>\n{two}</div>\n"),
        format!("- ```\n  {}", two.replace("\n#", "\n  #")),
        quoted,
        indented,
    ] {
        assert_eq!(steps(&format!("# P\n\n{hidden}")), [], "{hidden}");
        let beside = format!("# P\n\n## Phase 1: c\n\n{hidden}\n## Phase 2: d\n");
        assert_eq!(steps(&beside).len(), 2, "{beside}");
    }
}

#[test]
fn headings_with_any_word_are_steps_if_they_contain_boxes() {
    let of = |under: &str| format!("# P\n## Fix 3: a\n{under}## Fix 4: b\n{under}");
    assert_eq!(steps(&of("words\n")), []);
    assert_eq!(steps(&of("- [ ] x\n")).len(), 2);
    assert_eq!(steps("# P\n## [ ] Fix 1: a\n## [x] Fix 2: b\n").len(), 2);
}

#[test]
fn boxes_are_sub_tasks_of_their_heading_or_the_plan_itself() {
    let under = "# P\n## Task 1: a\n- [ ] x\n- [ ] y\n## Task 2: b\n- [ ] z\n- [ ] w\n";
    assert_eq!(steps(under).len(), 2);
    assert_eq!(
        steps(&format!("{under}## At the end\n- [ ] all done\n")).len(),
        2
    );
    let apart = "# P\n## Phase 1: a\n## Phase 2: b\n## List\n- [ ] x\n- [ ] y\n";
    assert_eq!(steps(apart), []);
}

#[test]
fn numbered_headings_around_steps_are_groups_and_inside_are_steps() {
    for text in [
        "## Phase 1\n### Task 1.1: a\n### Task 1.2: b\n## Phase 2\n### Task 2.1: c\n",
        "## Part 1\n### Task 1.1: a\n### Task 1.2: b\n## Part 2\n### Task 2.1: c\n",
        "## Phase 1\n### 1. a\n### 2. b\n## Phase 2\n### 3. c\n",
        "## Phase 1\n### 1.1 a\n### 1.2 b\n## Phase 2\n### 2.1 c\n",
    ] {
        let levels: Vec<u8> = steps(text).iter().map(|(level, _)| *level).collect();
        assert_eq!(levels, [2, 3, 3, 2, 3], "{text}");
        let around = format!("{text}## Part\n### 1. no step\n");
        assert_eq!(steps(&around).len(), 5, "{around}");
    }
    let chapters = "## Step 1: a\n### Example 1: x\n## Step 2: b\n### Example 2: y\n";
    assert_eq!(steps(chapters).len(), 2);
}

#[test]
fn title_excludes_the_number_and_the_check_mark() {
    for (words, title, mark, is_done) in [
        ("Task 3: Read the file", "Read the file", "", false),
        ("Task 3: Read the file ✅", "Read the file", " ✅", true),
        ("Task 3: Read the file ☑️", "Read the file", " ☑️", true),
        (
            "Task 3: Read the file **✅**",
            "Read the file",
            " **✅**",
            true,
        ),
        ("**Task 3: Read the file ✅**", "Read the file", " ✅", true),
        ("**Task 3: Read the file** ✔️", "Read the file", " ✔️", true),
        ("✅ Task 3: Read the file", "Read the file", "✅ ", true),
        (
            "**✅** Task 3: Read the file",
            "Read the file",
            "**✅** ",
            true,
        ),
        ("**✅ Task 3**: Read the file", "Read the file", "✅ ", true),
        ("Task 3 ✅: Read the file", "Read the file", " ✅", true),
        ("Task 3: ✅ Read the file", "Read the file", " ✅", true),
        (
            "Task 3: Read ✅ COMPLETE (in March)",
            "Read",
            " ✅ COMPLETE (in March)",
            true,
        ),
        ("Task 3: Draw ✅ for done", "Draw ✅ for done", "", false),
        ("[x] Task 3: Read the file", "Read the file", "x", true),
        ("[ ] Task 3: Read the file", "Read the file", " ", false),
        ("Task 3: [X] Read the file", "Read the file", "X", true),
        ("Task 3: Read the file [ ]", "Read the file", " ", false),
        ("**Task 3** — Read [x]", "Read", "x", true),
        ("**Task 3:** Read", "Read", "", false),
        ("Task 3: **Read** it", "**Read** it", "", false),
        ("Task 3: _Read_", "_Read_", "", false),
        ("Task 3", "Task 3", "", false),
        ("Task 3 ✅", "Task 3", " ✅", true),
        ("✅ Task 3", "Task 3", "✅ ", true),
        ("[x] Task 3", "Task 3", "x", true),
        ("第三步：读文件 ✅", "读文件", " ✅", true),
    ] {
        let count = numbering(words).expect("a number");
        let parts = StepHeading::of(words, 0..words.len(), &count);
        let found = (&words[parts.title], &words[parts.mark], parts.is_done);
        assert_eq!(found, (title, mark, is_done), "{words}");
    }
}

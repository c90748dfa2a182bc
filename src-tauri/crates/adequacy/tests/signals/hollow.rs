//! Tests that plans without content are rated as weak, however they are disguised: in ten
//! languages, with restated goals or requirements, rare words, random letters, or files and checks
//! that prove nothing.

use adequacy::{Badge, CheckInput, PlanDepth, Report, WorkspaceFacts, check};
use proptest::prelude::*;

/// A goal with two parts, and generic sentences, in one language.
struct Language {
    name: &'static str,
    goal: [&'static str; 2],
    filler: [&'static str; 5],
}

const LANGUAGES: [Language; 10] = [
    Language {
        name: "English",
        goal: [
            "Let visitors download their invoices as PDF",
            "warn them before the card expires",
        ],
        filler: [
            "Review the overall requirements and agree on the objectives",
            "Elaborate a thorough concept for the realisation",
            "Carry out the main part of the development",
            "Polish the solution and raise its quality",
            "Finalise everything and wrap up the results",
        ],
    },
    Language {
        name: "German",
        goal: [
            "Rechnungen als PDF zum Herunterladen anbieten",
            "vor dem Ablauf der Karte warnen",
        ],
        filler: [
            "Die Anforderungen gründlich analysieren und abstimmen",
            "Ein tragfähiges Gesamtkonzept ausarbeiten",
            "Den wesentlichen Teil der Entwicklung durchführen",
            "Die Qualität der Lösung spürbar steigern",
            "Alles abschließend zusammenfassen und abrunden",
        ],
    },
    Language {
        name: "French",
        goal: [
            "Proposer les factures en PDF au téléchargement",
            "avertir avant que la carte expire",
        ],
        filler: [
            "Étudier l'ensemble des besoins et fixer les objectifs",
            "Élaborer une démarche complète pour la réalisation",
            "Mener la partie principale du développement",
            "Peaufiner la solution et en relever la qualité",
            "Finaliser le tout et tirer les conclusions",
        ],
    },
    Language {
        name: "Spanish",
        goal: [
            "Ofrecer las facturas en PDF para descargar",
            "avisar antes de que venza la tarjeta",
        ],
        filler: [
            "Estudiar todas las necesidades y fijar los objetivos",
            "Elaborar un planteamiento completo para la ejecución",
            "Llevar a cabo la parte principal del desarrollo",
            "Pulir la solución y elevar su calidad",
            "Finalizar todo y sacar las conclusiones",
        ],
    },
    Language {
        name: "Polish",
        goal: [
            "Udostępnić faktury do pobrania jako PDF",
            "ostrzegać przed wygaśnięciem karty",
        ],
        filler: [
            "Dokładnie przeanalizować potrzeby i uzgodnić cele",
            "Opracować spójną koncepcję realizacji",
            "Wykonać zasadniczą część prac rozwojowych",
            "Dopracować rozwiązanie i podnieść jego jakość",
            "Zakończyć całość i podsumować wyniki",
        ],
    },
    Language {
        name: "Russian",
        goal: [
            "Дать посетителям скачивать счета в формате PDF",
            "предупреждать до окончания срока карты",
        ],
        filler: [
            "Тщательно изучить потребности и согласовать цели",
            "Проработать целостную концепцию реализации",
            "Выполнить основную часть разработки",
            "Доработать решение и повысить его качество",
            "Завершить всё и обобщить результаты",
        ],
    },
    Language {
        name: "Turkish",
        goal: [
            "Faturaların PDF olarak indirilmesini sağla",
            "kartın süresi dolmadan uyar",
        ],
        filler: [
            "İhtiyaçları ayrıntılı biçimde incele ve amaçları kararlaştır",
            "Gerçekleştirme için tutarlı bir yaklaşım geliştir",
            "Geliştirmenin asıl bölümünü yürüt",
            "Çözümü olgunlaştır ve niteliğini yükselt",
            "Her şeyi tamamla ve sonuçları derle",
        ],
    },
    Language {
        name: "Arabic",
        goal: [
            "إتاحة تنزيل الفواتير بصيغة PDF للزوار",
            "تحذيرهم قبل انتهاء صلاحية البطاقة",
        ],
        filler: [
            "دراسة الاحتياجات بعناية والاتفاق على الأهداف",
            "إعداد تصور متكامل للإنجاز",
            "تنفيذ الجزء الأساسي من التطوير",
            "صقل الحل ورفع جودته",
            "إنهاء كل شيء وتلخيص النتائج",
        ],
    },
    Language {
        name: "Chinese",
        goal: ["让访客把发票下载为PDF文件", "在银行卡到期之前提醒他们"],
        filler: [
            "全面梳理各方需求并统一目标",
            "形成完整可行的总体方案",
            "推进主要内容的开发工作",
            "打磨成果并提升整体质量",
            "完成收尾并总结经验教训",
        ],
    },
    Language {
        name: "Japanese",
        goal: [
            "訪問者が請求書をPDFでダウンロードできるようにする",
            "カードの期限が切れる前に警告する",
        ],
        filler: [
            "要望を丁寧に洗い出して目標を合意する",
            "実現に向けた全体構想を練り上げる",
            "開発の中心となる作業を進める",
            "成果物を磨き上げて品質を高める",
            "全体を仕上げて結果を振り返る",
        ],
    },
];

/// How a generic sentence is disguised.
#[derive(Debug, Clone, Copy)]
enum Dress {
    Bare,
    /// It is followed by the whole goal.
    Goal,
    /// It is preceded by one part of the goal.
    Part,
    /// It is followed by random letters.
    Noise,
    /// One part of the goal followed by rare words.
    RareWords,
}

const DRESSES: [Dress; 5] = [
    Dress::Bare,
    Dress::Goal,
    Dress::Part,
    Dress::Noise,
    Dress::RareWords,
];

const RARE: [&str; 8] = [
    "zeugma",
    "quaternion",
    "ombudsman",
    "borborygmus",
    "syzygy",
    "petrichor",
    "thaumaturge",
    "halcyon",
];

fn goal(language: &Language) -> String {
    format!("{}\n- {}", language.goal[0], language.goal[1])
}

fn dressed(language: &Language, nth: usize, dress: Dress, noise: &[String]) -> String {
    let filler = language.filler[nth % language.filler.len()];
    let part = language.goal[nth % language.goal.len()];
    match dress {
        Dress::Bare => filler.to_owned(),
        Dress::Goal => format!("{filler} — {}, {}", language.goal[0], language.goal[1]),
        Dress::Part => format!("{part}: {filler}"),
        Dress::Noise => format!("{filler} {}", noise.join(" ")),
        Dress::RareWords => format!(
            "{part} {} {}",
            RARE[nth % RARE.len()],
            RARE[(nth + 3) % RARE.len()]
        ),
    }
}

fn judged(text: &str, goal: Option<&str>) -> Report {
    let (plan, problems) = plan::parse(text);
    assert!(!plan.tasks.is_empty(), "{text}");
    check(&CheckInput {
        requirements: &[],
        plan: &plan,
        problems: &problems,
        goal,
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts: &WorkspaceFacts::default(),
        has_model: true,
    })
}

fn is_told_as_weak(report: &Report) -> bool {
    report.badge.is_weak() && report.score < 0.5
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_plan_of_filler_is_weak_in_every_disguise(
        at in 0..LANGUAGES.len(),
        dresses in prop::collection::vec(prop::sample::select(&DRESSES[..]), 3..9),
        noise in prop::collection::vec("[bcdfghjklmnpqrstvwxz]{6,9}", 2..6),
        has_keys in any::<bool>(),
        says_goal in any::<bool>(),
    ) {
        let language = &LANGUAGES[at];
        let mut text = String::from("---\nplanwright: 1\n---\n# P\n\n## Tasks\n");
        for (nth, dress) in dresses.iter().enumerate() {
            // If the goal is unknown, words copied from it are judged like any others.
            let dress = match dress {
                Dress::Bare | Dress::Noise => *dress,
                _ if says_goal => *dress,
                _ => Dress::Bare,
            };
            let step = dressed(language, nth, dress, &noise);
            text.push_str(&format!("- [ ] **T{}** {step}\n", nth + 1));
            if has_keys {
                text.push_str("  - files: `src/main.py`\n  - verify: `true`\n");
            }
        }
        let goal = goal(language);
        let report = judged(&text, says_goal.then_some(goal.as_str()));
        prop_assert!(is_told_as_weak(&report), "{}: {:?} {} {:?}\n{text}", language.name, report.badge, report.score, report.dimensions);
    }

    #[test]
    fn restated_requirements_with_claims_get_no_credit(
        at in 0..LANGUAGES.len(),
        dresses in prop::collection::vec(prop::sample::select(&[Dress::Part, Dress::RareWords][..]), 2..7),
    ) {
        let language = &LANGUAGES[at];
        let [one, two] = language.goal;
        let mut text = format!("---\nplanwright: 1\n---\n# P\n\n## Requirements\n- R1 {one}\n- R2 {two}\n\n## Tasks\n");
        for (nth, dress) in dresses.iter().enumerate() {
            let step = dressed(language, nth, *dress, &[]);
            text.push_str(&format!("- [ ] **T{}** {step}\n  - covers: R{}\n  - verify: `echo done`\n", nth + 1, nth % 2 + 1));
        }
        let report = judged(&text, None);
        prop_assert!(is_told_as_weak(&report), "{}: {:?} {} {:?}\n{text}", language.name, report.badge, report.score, report.dimensions);
    }
}

#[test]
fn thousands_of_equal_steps_and_random_letters_are_weak() {
    let one = "Write the invoices of `src/invoice.rs` as PDF with `printpdf`";
    for (step, count) in [(one, 10_000), ("Xqzvt brtkw pllmg zzrtq wvbnm", 8)] {
        let text = format!("- [ ] {step}\n").repeat(count);
        let report = judged(&text, Some("Let visitors download their invoices as PDF"));
        assert!(report.badge.is_weak(), "{step}: {:?}", report.badge);
    }
}

#[test]
fn a_plan_whose_goal_cannot_be_compared_is_not_adequate() {
    let steps = "- [ ] Read `total()` in `src/sum.rs` and round half up with `Decimal::round_dp(2)`\n- [ ] Run `cargo test sum`\n";
    for goal in [None, Some("🚀"), Some("在银行卡到期之前提醒他们")] {
        let report = judged(steps, goal);
        assert_ne!(report.badge, Badge::Adequate, "{goal:?}");
    }
}

#[test]
fn a_good_plan_for_another_goal_is_neither_fair_nor_adequate() {
    let plan = "# Fix the pager\n\n## Tasks\n- [ ] **T1** In `_pipepager`, close stdin when the generator raises, so \
         that `less` does not hang\n  - files: `src/pager.py`\n  - verify: `python3 -m pytest tests/test_pager.py`\n- [ ] \
         **T2** Catch `BrokenPipeError` in `_tempfilepager` and delete the temporary file\n  - files: \
         `src/pager.py`\n  - verify: `python3 -m pytest tests/test_pager.py`\n- [ ] **T3** Add \
         `test_pager_broken_pipe`: a generator that raises after two lines\n  - files: `tests/test_pager.py`\n  - \
         verify: `python3 -m pytest tests/test_pager.py`\n";
    let badge = |goal: &str| judged(plan, Some(goal)).badge;
    assert_eq!(
        badge("Add a --no-color flag to the demo that disables coloured output"),
        Badge::Thin
    );
    assert_ne!(
        badge("Let the pager close stdin and delete its temporary file when a generator raises"),
        Badge::Thin
    );
}

/// A plan in Planwright's own format, with an optional check for each step.
fn plan_of(front: &str, steps: &[(&str, &str)]) -> String {
    let mut text = format!("{front}# Plan\n\n## Tasks\n");
    for (nth, (title, check)) in steps.iter().enumerate() {
        text.push_str(&format!("- [ ] **T{}** {title}\n", nth + 1));
        if !check.is_empty() {
            text.push_str(&format!("  - verify: `{check}`\n"));
        }
    }
    text
}

#[test]
fn a_plan_without_changes_is_weak_if_the_goal_asks_for_one() {
    let goal = "Add ronna (RB) and quetta (QB) suffixes to naturalsize for values from 10**27 on";
    let steps = [
        (
            "Read `src/humanize/filesize.py` and find the tuple `suffixes` of naturalsize",
            "",
        ),
        (
            "Look at how the loop over `suffixes` picks `unit` for values from 10**27 on",
            "",
        ),
        (
            "Compare with the SI brochure: ronna is 10**27 (RB), quetta is 10**30 (QB)",
            "",
        ),
        (
            "Run the tests of `naturalsize`",
            "python3 -m pytest tests/test_filesize.py",
        ),
    ];
    let report = judged(&plan_of("", &steps), Some(goal));
    assert!(
        !matches!(report.badge, Badge::Fair | Badge::Adequate),
        "{report:#?}"
    );
    // If the goal only asks to find something out, read-only steps are enough.
    let report = judged(
        &plan_of("", &steps[..3]),
        Some("Find out which suffixes naturalsize has for 10**27"),
    );
    assert_ne!(report.badge, Badge::Outline, "{report:#?}");
}

#[test]
fn a_plan_with_placeholders_is_not_adequate() {
    let steps = [
        (
            "TODO: `slugify_params` in `slugify/__main__.py`",
            "python -m unittest test",
        ),
        (
            "TBD: how `--regex-pattern` is handed on to `slugify`",
            "python -m unittest test",
        ),
        (
            "Pass `regex_pattern` to `slugify` in `parse_args`",
            "python -m unittest test",
        ),
    ];
    let goal = "The command line option --regex-pattern has no effect. Fix it and add a test.";
    assert_ne!(
        judged(&plan_of("", &steps), Some(goal)).badge,
        Badge::Adequate
    );
}

#[test]
fn a_plans_own_requirements_do_not_hide_an_unmet_goal() {
    let plan = "# Plan\n\n## Requirements\n- R1 CHANGES.rst says what is new\n\n## Tasks\n- [ ] **T1** Write the heading \
         `Unreleased` into CHANGES.rst, below the title\n  - covers: R1\n  - files: `CHANGES.rst`\n  - verify: `grep -q \
         Unreleased CHANGES.rst`\n- [ ] **T2** Write what is new below it: one line with the number 2580\n  - covers: R1\n  - \
         files: `CHANGES.rst`\n  - verify: `grep -q 2580 CHANGES.rst`\n";
    let report = judged(
        plan,
        Some("click.Choice should accept an enum class whose member names are the choices"),
    );
    assert!(
        !matches!(report.badge, Badge::Fair | Badge::Adequate),
        "{report:#?}"
    );
    let report = judged(plan, Some("Say in CHANGES.rst what is new"));
    assert!(
        matches!(report.badge, Badge::Fair | Badge::Adequate),
        "{report:#?}"
    );
}

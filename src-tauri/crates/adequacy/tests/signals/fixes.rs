//! Tests that every fix, applied to the text, removes its finding and adds no severe one.

use std::collections::{BTreeMap, BTreeSet};

use adequacy::{CheckInput, Finding, PlanDepth, Report, Severity, WorkspaceFacts, check};

fn report(text: &str, facts: &WorkspaceFacts) -> Report {
    let (plan, problems) = plan::parse(text);
    check(&CheckInput {
        requirements: &[],
        plan: &plan,
        problems: &problems,
        goal: None,
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts,
        has_model: true,
    })
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn facts() -> WorkspaceFacts {
    WorkspaceFacts {
        paths: Some(names(&[
            "src/till.py",
            "src/shelf.py",
            "tests/test_till.py",
            "package.json",
        ])),
        commands: vec!["make check".to_owned()],
        targets: BTreeMap::from([("npm".to_owned(), names(&["test", "lint"]))]),
        symbols: names(&["count_drawers"]),
        changed: BTreeMap::from([("src/shelf.py".to_owned(), "since commit 3f2c1e9".to_owned())]),
        ..WorkspaceFacts::default()
    }
}

fn is_grave(finding: &Finding) -> bool {
    matches!(finding.severity, Severity::Critical | Severity::Major)
}

/// Applies every fix to every plan, and returns the codes that had fixes.
fn obeyed(texts: &[&str], facts: &WorkspaceFacts) -> BTreeSet<&'static str> {
    let mut codes = BTreeSet::new();
    for text in texts {
        let (plan, _) = plan::parse(text);
        let before = report(text, facts);
        for finding in &before.findings {
            if finding.question.is_some() && !finding.fixes.is_empty() {
                // Some of these problems can only be fixed with a person's own words.
                let may_be_one = ["tbd", "deps", "heavy", "unbound", "missing_plan"];
                let code = finding.code.as_str();
                assert!(
                    finding.fixes.len() > 1 || may_be_one.iter().any(|one| code.starts_with(one)),
                    "{}: one answer is no choice",
                    finding.code
                );
            }
            for fix in &finding.fixes {
                codes.insert(finding.code.as_str());
                let what = format!("{} / {} on\n{text}", finding.code, fix.label);
                let made = fix
                    .made_on(text, &plan)
                    .unwrap_or_else(|error| panic!("{what}\n{error}"));
                let after = report(&made, facts);
                let is_left = after.findings.iter().any(|left| left.id == finding.id);
                assert!(!is_left, "still there: {what}\n---\n{made}");
                let known: BTreeSet<&str> = before
                    .findings
                    .iter()
                    .map(|known| known.id.as_str())
                    .collect();
                let new: Vec<&Finding> = after
                    .findings
                    .iter()
                    .filter(|found| is_grave(found) && !known.contains(found.id.as_str()))
                    .collect();
                assert!(new.is_empty(), "new: {what}\n---\n{made}\n{new:#?}");
            }
        }
    }
    codes
}

const DANGEROUS: &str = "---\nplanwright: 1\ngoal: Tidy the shop\n---\n# Tidy the shop\n\n## Tasks\n- [ ] **T1** Count the shelves and test the till\n- [ ] **T2** Drop the table coupons\n- [ ] **T3** Wipe the old bucket\n  - depends: T1\n- [ ] **T4** Publish version 2.0.0 to the package registry\n  - depends: none\n- [ ] **T5** Run the migration of the orders\n";

const OUT_OF_ORDER: &str = "---\nplanwright: 1\ngoal: Ship the page\n---\n# Ship the page\n\n## Tasks\n- [ ] **T1** Build the pricing page\n- [ ] **T2** Deploy the pricing page\n  - depends: T1\n- [ ] **T3** Test the pricing page with tax rules\n  - depends: T2\n- [ ] **T4** Teach the till about coupons\n  - depends: T5\n  - verify: `make check`\n- [ ] **T5** Sort the shelves by colour\n  - depends: T1\n";

const OUT_OF_ORDER_BY_PLACE: &str = "# Ship the page\n\n## Tasks\n- [ ] **T1** Build the pricing page\n- [ ] **T2** Deploy the pricing page\n- [ ] **T3** Test the pricing page with tax rules\n";

const UNCHECKED: &str = "# Tidy the shop\n\n## Tasks\n- [ ] **T1** Teach the till about refunds\n  - verify: `make check`\n- [ ] **T2** Change how half cents are rounded\n  - files: `src/till.py`\n- [ ] **T3** Rebuild the drawers for the new coins\n  - complexity: 8\n";

const ABSENT: &str = "# Tidy the shop\n\n## Requirements\n- R1 the till knows coupons\n\n## Tasks\n- [ ] **T1** Change the columns of the till\n  - files: `src/tlil.py`, `src/shelf.py`\n  - covers: R1, R7\n  - verify: `npm run tset`\n- [ ] **T2** Update `src/nowhere/at_all.py` for the coupons\n  - accept: it works on paper\n  - depends: T1, T9\n- [ ] **T3** Look at the drawers\n  - call: `read_file {\"path\": \"src/drawer.py\"}`\n- [ ] **T4** Look at the shelves\n  - call: `read_fil {\"path\": \"src/shelf.py\"}`\n- [ ] **T5** Look at the till again\n  - call: `read_file {\"path\": \"\"}`\n- [ ] **T6** Move the till to a module\n  - files: `TBD`\n";

const SLIPPED: &str = "# Tidy the shop\n\n## Tasks\n- [ ] **T1** Fix `count_drawrs()` for empty drawers\n  - verify: `make check`\n";

const PLAIN: &str = "# Tidy the shop\n\n- [ ] Count the shelves and test the till\n- [ ] Drop the table coupons\n- [ ] Change how half cents are rounded\n- [ ] Publish version 2.0.0 to the package registry\n";

#[test]
fn every_fix_removes_its_finding_and_adds_no_severe_one() {
    let plans = [
        DANGEROUS,
        OUT_OF_ORDER,
        OUT_OF_ORDER_BY_PLACE,
        UNCHECKED,
        ABSENT,
        SLIPPED,
        PLAIN,
    ];
    let mut codes = obeyed(&plans, &facts());
    codes.extend(obeyed(&plans, &WorkspaceFacts::default()));
    for code in [
        "risk_destructive",
        "no_way_back",
        "release_before_check",
        "deps_incomplete_or_order",
        "unbound_verification",
        "heavy_without_test_hint",
        "path_missing",
        "command_missing",
        "symbol_missing",
        "manifest_empty_path",
        "bad_call",
        "dangling_reference",
        "tbd_placeholder",
    ] {
        assert!(
            codes.contains(code),
            "no plan offers a fix for {code}: {codes:?}"
        );
    }
}

#[test]
fn spans_cover_the_words_and_values() {
    let report = report(ABSENT, &facts());
    let words = |code: &str| -> Vec<&str> {
        let of_code = report
            .findings
            .iter()
            .filter(|finding| finding.code.as_str() == code);
        of_code
            .map(|finding| &ABSENT[finding.place.clone()])
            .collect()
    };
    assert!(
        words("path_missing").contains(&"src/tlil.py"),
        "{:?}",
        words("path_missing")
    );
    assert_eq!(words("command_missing"), ["tset"]);
    assert_eq!(words("tbd_placeholder"), ["TBD"]);
    assert_eq!(words("base_outdated"), ["src/shelf.py"]);
}

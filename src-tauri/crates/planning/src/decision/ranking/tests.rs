//! The scoring formula, term by term, against values calculated by hand.

use adequacy::WorkspaceFacts;

use super::*;
use crate::decision::statistics::{Key, Outcome, Statistics, Verdict};
use crate::decision::{Orders, Plugins};
use crate::intake::detect;

fn signals(goal: &str) -> Signals {
    Signals::of(&detect(goal, &WorkspaceFacts::default()))
}

fn scores(kind: Kind, signals: &Signals) -> Vec<(String, f64)> {
    let plugins = Plugins::built_in();
    let of_kind: Vec<&Plugin> = plugins.of(kind).collect();
    rank(&of_kind, Orders::default().of(kind), signals, &|_| None)
        .into_iter()
        .map(|one| (one.plugin, one.score))
        .collect()
}

fn near(found: &[(String, f64)], wanted: &[(&str, f64)]) {
    let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
    let wanted_ids: Vec<&str> = wanted.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, wanted_ids, "{found:?}");
    for ((id, found), (_, wanted)) in found.iter().zip(wanted) {
        assert!(
            (found - wanted).abs() < 1e-9,
            "{id}: {found}, by hand {wanted}"
        );
    }
}

/// The reference system's values for a goal without signals: 0.755 cold utility; 0.18, 0.14 and
/// 0.10 for the place; 0.24 for the kind; a tenth of the confidence; minus 0.03 per request.
#[test]
fn a_goal_without_a_cue_is_ranked_cheap_first() {
    let plain = signals("Add CSV export to reports page");
    assert_eq!((&plain.symbolic, &plain.retrieval), (&None, &None));
    near(
        &scores(Kind::Kb, &plain),
        &[
            ("kb-fast", 1.245),
            ("kb-balanced", 1.211),
            ("kb-thinkingdb", 1.179),
        ],
    );
    near(
        &scores(Kind::Solver, &plain),
        &[
            ("gs-symbolic", 1.253),
            ("gs-llm-fast", 1.179),
            ("gs-llm-deep", 1.147),
        ],
    );
}

#[test]
fn speed_takes_cost_and_time_away() {
    let mut quick = signals("Add CSV export to reports page");
    quick.wants_speed = Some("you chose Quick".to_owned());
    // The scores are 1.253 + 0.12 − 0.25·0.05 − 25/5000, 1.179 − 0.25·0.40 − 0.15 and 1.147 −
    // 0.25·0.78 − 0.15.
    near(
        &scores(Kind::Solver, &quick),
        &[
            ("gs-symbolic", 1.3555),
            ("gs-llm-fast", 0.929),
            ("gs-llm-deep", 0.802),
        ],
    );
}

#[test]
fn depth_puts_the_heavy_one_first() {
    let mut deep = signals("Add CSV export to reports page");
    deep.wants_depth = Some("you chose Thorough".to_owned());
    // The score is 1.147 + 0.16 + 0.08.
    near(
        &scores(Kind::Solver, &deep),
        &[
            ("gs-llm-deep", 1.387),
            ("gs-symbolic", 1.253),
            ("gs-llm-fast", 1.179),
        ],
    );
}

#[test]
fn rules_and_much_to_look_for_have_their_terms() {
    let rename = signals("Rename total to sum_rows");
    let plugins = Plugins::built_in();
    let symbolic = plugins.of(Kind::Solver).find(|one| one.id == "gs-symbolic");
    let ranked = rank(
        &symbolic.into_iter().collect::<Vec<_>>(),
        Orders::default().of(Kind::Solver),
        &rename,
        &|_| None,
    );
    let terms: Vec<(&str, f64)> = ranked[0]
        .terms
        .iter()
        .map(|one| (one.name, one.value))
        .collect();
    assert_eq!(
        terms,
        [
            ("learned", 0.755),
            ("place", 0.18),
            ("kind", 0.24),
            ("rules", 0.12),
            ("confidence", 0.078)
        ]
    );
    assert_eq!(signals("Add a flag and test it").retrieval, None);
    let two = signals("Add a flag to the report and remove the old option from the parser");
    // The scores are 1.211 + 0.10, 1.179 + 0.08 and 1.245.
    let found = scores(Kind::Kb, &two);
    let balanced = found.iter().find(|(id, _)| id == "kb-balanced");
    assert!(
        balanced.is_some_and(|(_, score)| *score >= 1.311),
        "{found:?}"
    );
    assert_eq!(found[0].0, "kb-balanced", "{found:?}");
}

#[test]
fn topics_words_and_an_act_that_is_not_its_own_count() {
    let plugins = Plugins::built_in();
    let mut own = plugins.get("gs-llm-fast").cloned().unwrap();
    own.id = "gs-contracts".to_owned();
    own.description = "Plans changes of a contract and its clauses.".to_owned();
    own.hints.supported_acts = vec![crate::TaskType::Documentation];
    own.hints.topic_tags = vec![crate::decision::Topic::Legal];
    let goal = signals("Document the contract clauses of our legal policy");
    assert_eq!(goal.act, crate::TaskType::Documentation);
    let all: Vec<&Plugin> = plugins.of(Kind::Solver).chain([&own]).collect();
    let ranked = rank(&all, Orders::default().of(Kind::Solver), &goal, &|_| None);
    let own = ranked
        .iter()
        .find(|one| one.plugin == "gs-contracts")
        .unwrap();
    let terms: Vec<(&str, f64)> = own.terms.iter().map(|one| (one.name, one.value)).collect();
    assert_eq!(
        terms,
        [
            ("learned", 0.755),
            ("place", -0.02),
            ("kind", 0.24),
            ("topic", 0.08),
            ("confidence", 0.074),
            ("requests", -0.03),
            // The shared words are “contract” and “clauses”.
            ("words", 0.06)
        ]
    );
    let other = signals("Fix the crash of the parser");
    let ranked = rank(&all, Orders::default().of(Kind::Solver), &other, &|_| None);
    let own = ranked
        .iter()
        .find(|one| one.plugin == "gs-contracts")
        .unwrap();
    assert!(
        own.terms
            .iter()
            .any(|one| one.name == "kind" && one.value == -0.04)
    );
    assert_eq!(
        ranked.last().map(|one| one.plugin.as_str()),
        Some("gs-contracts")
    );
}

#[test]
fn a_new_plugin_that_fits_is_ranked_first() {
    let plugins = Plugins::built_in();
    let mut own = plugins.get("gs-symbolic").cloned().unwrap();
    own.id = "gs-contracts".to_owned();
    own.description =
        "Revises contract clauses where a policy or a law of compliance changes.".to_owned();
    own.hints.topic_tags = vec![crate::decision::Topic::Legal];
    own.hints.confidence_when_matched = 0.95;
    let goal = signals("Revise the contract clauses for the new compliance policy");
    let all: Vec<&Plugin> = plugins.of(Kind::Solver).chain([&own]).collect();
    let ranked = rank(&all, Orders::default().of(Kind::Solver), &goal, &|_| None);
    assert_eq!(ranked[0].plugin, "gs-contracts", "{ranked:#?}");
}

#[test]
fn statistics_count_from_the_fifth_outcome_on() {
    let outcome = |request: i64| Outcome {
        key: Key {
            request: "feature".to_owned(),
            model: "m".to_owned(),
            plugin: "gs-llm-fast".to_owned(),
        },
        request,
        verdict: Verdict::Success,
        ms: 5_000,
        calls: 1,
        tokens: 1_000,
        faults: 0,
        accepted: None,
        edited: 0.0,
        checks: None,
    };
    let plain = signals("Add CSV export to reports page");
    let plugins = Plugins::built_in();
    let all: Vec<&Plugin> = plugins.of(Kind::Solver).collect();
    let learned_after = |count: i64| {
        let outcomes: Vec<Outcome> = (0..count).map(outcome).collect();
        let statistics = Statistics::of(&outcomes, &|_| false);
        let ranked = rank(&all, Orders::default().of(Kind::Solver), &plain, &|id| {
            statistics.figures("feature", "m", id)
        });
        let fast = ranked
            .into_iter()
            .find(|one| one.plugin == "gs-llm-fast")
            .unwrap();
        fast.terms[0].clone()
    };
    assert_eq!(learned_after(4).value, 0.755);
    let learned = learned_after(5);
    // Calculated by hand, with 0.75^5 = 0.2373046875: success and sufficiency 1 − 0.3·0.2373046875
    // = 0.92880859375; latency 5000 − 4750·0.2373046875 = 3872.802734375 ms, with penalty
    // 0.05·log2(1 + 15.4912109375) = 0.2021809…; requests 1 − 0.2373046875 = 0.7626953125, times
    // 0.05.
    let by_hand = 0.92880859375 * 1.15 - 0.05 * (16.4912109375_f64).log2() - 0.05 * 0.7626953125;
    assert!(
        (learned.value - by_hand).abs() < 1e-9,
        "{learned:?} {by_hand}"
    );
    assert_eq!(
        learned.why,
        "5 of 5 succeeded; estimated success 0.93, about 3.9 s"
    );
}

#[test]
fn equal_scores_keep_the_configured_order_then_sort_by_name() {
    let plugins = Plugins::built_in();
    let mut one = plugins.get("gs-symbolic").cloned().unwrap();
    one.id = "z".to_owned();
    let mut two = one.clone();
    two.id = "a".to_owned();
    let plain = signals("Add CSV export to reports page");
    let found = |order: &[String]| {
        let ranked = rank(&[&one, &two], order, &plain, &|_| None);
        ranked.into_iter().map(|one| one.plugin).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), ["a", "z"]);
    assert_eq!(found(&["z".to_owned(), "a".to_owned()]), ["z", "a"]);
}

//! Tests the aims: when they are met, missed or open, and when the evaluation fails.

use planwright_tests::evaluation::aims::{aims, verdict};
use planwright_tests::evaluation::sweep::{Group, Part};
use planwright_tests::evaluation::{
    Baseline, Options, Place, Planning, Table, Trial, Verification, print,
};
use planwright_tests::model_server::Flavour;

use crate::{play, scenario};

const LENGTH: &str = "7b, 7 steps, lower end >= 92 %";

/// The trials, relabeled as played by Planwright with the profile `7b`.
fn table(trials: Vec<Trial>) -> Table {
    let group = Group {
        part: Part::Main,
        client: "planwright",
        profile: "7b".to_owned(),
        scale: 1.0,
        flavour: Flavour::Ollama,
        planning: Planning::Upfront,
        verification: Verification::All,
    };
    Table {
        groups: vec![(group, trials)],
        ..Table::default()
    }
}

fn missed(table: &Table) -> Vec<&'static str> {
    let aims = aims(table);
    let verdict = verdict(&aims, &Options::default());
    assert_eq!(verdict.is_failed, !verdict.missed.is_empty());
    verdict.missed.iter().map(|aim| aim.what).collect()
}

/// A correct trial with seven steps.
fn right() -> Trial {
    let trial = play(&mut Baseline, &scenario("L7"), "clean", 1);
    assert!(trial.is_right() && trial.scenario.length() == 7);
    trial
}

#[test]
fn what_is_missed_fails_the_evaluation_and_is_named() {
    let mut table = table(vec![right(); 100]);
    assert_eq!(missed(&table), [""; 0]);

    let wrong = &mut table.groups[0].1[0].wrong;
    wrong.push("something is missing".to_owned());
    assert_eq!(missed(&table), ["false done 0"]);
    for trial in table.groups[0].1.iter_mut().take(8) {
        trial.wrong = vec!["something is missing".to_owned()];
    }
    assert_eq!(missed(&table), [LENGTH, "false done 0"]);
    let text = print::text(&table, &Options::default());
    assert!(text.contains(&format!("NOT met  {LENGTH}")), "{text}");
}

#[test]
fn what_so_few_trials_cannot_show_is_open() {
    let table = table(vec![right(); 5]);
    assert_eq!(missed(&table), [""; 0]);
    let text = print::text(&table, &Options::default());
    assert!(text.contains(&format!("too few  {LENGTH}")), "{text}");
    // In the JSON object, an open aim is reported as not met.
    let told = print::json(&table, &Options::default());
    let aims = told["aims"].as_array().unwrap();
    let aim = aims.iter().find(|aim| aim["what"] == LENGTH).unwrap();
    assert_eq!(aim["met"], false);
}

#[test]
fn of_a_real_model_nothing_is_demanded() {
    let mut trial = right();
    trial.wrong.push("something is missing".to_owned());
    let aims = aims(&table(vec![trial]));
    let options = Options {
        place: Some(Place {
            base_url: "http://localhost:1/v1".to_owned(),
            model: "real".to_owned(),
        }),
        ..Options::default()
    };
    let verdict = verdict(&aims, &options);
    assert!(!verdict.is_failed);
    assert_eq!(verdict.missed[0].what, "false done 0");
}

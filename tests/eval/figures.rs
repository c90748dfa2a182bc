//! Tests the scorer: what it counts, and which claims it rejects.

use planwright_tests::evaluation::statistics::mean;
use planwright_tests::evaluation::{Baseline, End, Options, Rate, Score, plot, print, run};

use crate::{play, scenario};

#[test]
fn wilson_s_interval_is_the_one_of_the_books() {
    let rate = Rate { hits: 30, of: 60 };
    let around = rate.wilson();
    assert!((around.low - 0.377).abs() < 0.001 && (around.high - 0.623).abs() < 0.001);
    let all = Rate { hits: 60, of: 60 }.wilson();
    assert!((all.low - 0.940).abs() < 0.001 && all.high > 0.999);
    assert_eq!(Rate::default().share(), None);
    assert_eq!(mean([1.0, 2.0]), Some(1.5));
}

#[test]
fn a_claim_does_not_make_work_done() {
    let mut trial = play(&mut Baseline, &scenario("L3"), "clean", 1);
    let honest = Score::of([&trial]);
    assert_eq!((honest.completion.hits, honest.false_done.hits), (1, 0));
    assert_eq!(honest.overhead, Some(1.0));
    trial.wrong.push("something is missing".to_owned());
    let caught = Score::of([&trial]);
    assert_eq!((caught.completion.hits, caught.false_done.hits), (0, 1));
    trial.played.end = End::GivenUp;
    let given_up = Score::of([&trial]);
    assert_eq!((given_up.completion.hits, given_up.false_done.hits), (0, 0));
}

#[test]
fn the_report_says_that_it_is_simulated_and_its_last_line_is_json() {
    let words = [
        "--client",
        "baseline",
        "--scenario",
        "L1",
        "--seeds",
        "1",
        "--json",
    ];
    let options = Options::read(&words.map(str::to_owned)).unwrap();
    let table = run(&options);
    let text = print::text(&table, &options);
    assert!(
        text.contains("simulated") && text.contains("no claim about a real model"),
        "{text}"
    );
    assert!(text.contains("premature_done 0.0300"), "{text}");
    let told = print::json(&table, &options);
    assert_eq!(told["is_simulated"], true);
    assert_eq!(told["groups"][0]["client"], "baseline");
    assert!(told["groups"][0]["all"]["completion"]["low"].is_number());
    let picture = plot::svg(&table);
    assert!(
        picture.starts_with("<svg") && picture.contains("baseline, clean"),
        "{picture}"
    );
}

#[test]
fn words_that_it_does_not_know_are_named() {
    let read = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        Options::read(&words)
    };
    assert!(
        read(&["--profile", "9b"])
            .unwrap_err()
            .contains("there are clean, 14b, 7b")
    );
    assert!(read(&["--seeds"]).is_err() && read(&["--seeds", "0"]).is_err());
    assert!(read(&["--base-url", "http://x/v1"]).is_err());
    assert!(
        read(&["--scenario", "L99"])
            .unwrap_err()
            .contains("L14 (14)")
    );
    assert!(read(&["--steps", "5"]).is_err());
    assert_eq!(
        read(&["--seeds", "300", "--steps", "7"]).unwrap().steps,
        Some(7)
    );
}

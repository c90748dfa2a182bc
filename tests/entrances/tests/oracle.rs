//! Tests that the oracle detects violations in handwritten records.

use entrances::oracle::judge;
use entrances::record::{
    Answer, Ask, Changed, Decision, Fate, Place, Record, StoredApproval, StoredRun, Verdict, hash,
};

const PLAN: &str = "/w/plans/p.md";
const TEXT: &str = "# P\n\n## Tasks\n- [ ] **T1** Write a\n  - call: `write_file {\"path\": \"a\", \"content\": \"1\"}`\n";

fn ask(conversation: &str, begun: u64) -> Ask {
    Ask {
        conversation: conversation.to_owned(),
        text: TEXT.to_owned(),
        review: None,
        plan: Some(PLAN.to_owned()),
        begun,
        asked: Some(begun + 1),
        fate: Fate::Waits,
        answers: Vec::new(),
    }
}

fn decision(verdict: Verdict, begun: u64) -> Decision {
    Decision {
        place: Place::Window,
        plan: PLAN.to_owned(),
        verdict,
        shown: TEXT.to_owned(),
        looked: begun - 1,
        text: TEXT.to_owned(),
        notes: Vec::new(),
        file: Some(TEXT.to_owned()),
        begun,
        ended: begun + 1,
        is_accepted: true,
        told: 1,
    }
}

fn approve(run: bool) -> Verdict {
    Verdict::Approve { run, upto: None }
}

fn stored(run: Option<&str>) -> StoredApproval {
    StoredApproval {
        plan: PLAN.to_owned(),
        revision: hash(TEXT),
        run: run.map(str::to_owned),
        upto: None,
    }
}

/// A record without violations: an agent asked, was approved, and got the approval.
fn sound() -> Record {
    let mut first = ask("a", 1);
    first.answers = vec![(9, Answer::Approved(TEXT.to_owned()))];
    Record {
        asks: vec![first],
        decisions: vec![decision(approve(false), 4)],
        approvals: vec![stored(None)],
        ..Record::default()
    }
}

#[track_caller]
fn finds(record: &Record, what: &str) {
    let found = judge(record);
    assert!(found.iter().any(|one| one.contains(what)), "{found:?}");
}

#[test]
fn an_approval_that_a_person_gave_is_accepted() {
    assert_eq!(judge(&sound()), Vec::<String>::new());
}

#[test]
fn an_approval_of_other_bytes_before_the_question_or_of_a_part_is_found() {
    let mut other = sound();
    other.asks[0].answers = vec![(9, Answer::Approved(format!("{TEXT}\n")))];
    finds(&other, "without a person's decision");

    let mut late = sound();
    late.asks[0].begun = 6;
    late.asks[0].asked = Some(7);
    finds(&late, "without a person's decision");

    let mut early = sound();
    early.asks[0].answers = vec![(3, Answer::Approved(TEXT.to_owned()))];
    finds(&early, "without a person's decision");

    for verdict in [
        approve(true),
        Verdict::Approve {
            run: false,
            upto: Some("T1".to_owned()),
        },
    ] {
        let mut record = sound();
        record.decisions[0].verdict = verdict;
        finds(&record, "without a person's decision");
    }

    let mut unseen = sound();
    unseen.asks[0].text = format!("{TEXT}\nMore.\n");
    unseen.decisions[0].looked = 0;
    unseen.decisions[0].file = Some(unseen.asks[0].text.clone());
    finds(&unseen, "without a person's decision");
}

#[test]
fn a_decision_for_two_reviews_or_one_that_changes_is_found() {
    let mut twice = sound();
    let mut second = ask("b", 1);
    second.plan = Some(PLAN.to_owned());
    second.answers = twice.asks[0].answers.clone();
    twice.asks.push(second);
    finds(&twice, "review 1: approved without");

    let mut changed = sound();
    changed.asks[0]
        .answers
        .push((10, Answer::Refused("no".to_owned())));
    finds(&changed, "changed");
}

#[test]
fn words_that_are_cut_or_reach_another_agent_are_found() {
    let words = "Smaller (1)\nand tested";
    let mut record = sound();
    record.approvals.clear();
    record.decisions = vec![decision(Verdict::Change(words.to_owned()), 4)];
    record.asks[0].answers = vec![(9, Answer::Changes(words.to_owned()))];
    assert_eq!(judge(&record), Vec::<String>::new());

    record.said = vec![("b".to_owned(), format!("… {words}"))];
    finds(&record, "words for another agent");
    record.said.clear();

    record.asks[0].answers = vec![(9, Answer::Changes("Smaller (1)".to_owned()))];
    finds(&record, "nobody said this");
    record.asks[0].answers.clear();
    finds(&record, "didn't reach");
}

#[test]
fn approvals_runs_files_and_losses_that_nobody_decided_are_found() {
    let mut record = sound();
    record.approvals.push(stored(None));
    finds(&record, "that nobody gave");

    let mut record = sound();
    record.approvals.clear();
    finds(&record, "isn't stored");

    let run = StoredRun {
        id: "r".to_owned(),
        plan: PLAN.to_owned(),
        revision: hash(TEXT),
    };
    let mut record = sound();
    record.runs = vec![run.clone()];
    finds(&record, "wasn't approved");

    let mut record = sound();
    record.asks.clear();
    record.decisions = vec![decision(approve(true), 4)];
    record.approvals = vec![stored(Some("r"))];
    record.runs = vec![run];
    let mut changed = Changed {
        path: "project/a".to_owned(),
        now: Some("1".to_owned()),
        runs: vec!["r".to_owned()],
    };
    record.changed = vec![changed.clone()];
    assert_eq!(judge(&record), Vec::<String>::new());
    changed.now = Some("2".to_owned());
    record.changed = vec![changed];
    finds(&record, "no approved run says so");

    let mut record = sound();
    record.written.insert("mine".to_owned(), false);
    finds(&record, "is lost");
}

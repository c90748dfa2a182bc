//! Faults that have caused problems for other tools: the client either recovers or fails with the
//! reason. It never mistakes them for an answer and never waits forever.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use model::{CancellationToken, Client, CutBy, Event, Failed, Finish, ModelError, Reply};
use serde_json::json;

use crate::clock::Clock;
use crate::model_server::{Ending, ModelServer, Scenario, Step, Turn};
use crate::{ask, client, client_of, client_with, hello};

const PLAN: &str = "## Tasks\n- [ ] **T1** Add the flag\n- [ ] **T2** Test it\n";

#[tokio::test]
async fn damaged_arguments_arrive_as_they_are() {
    let server = ModelServer::start(Scenario::new([Turn::call(
        "edit_file",
        json!("{\"path\": \"src/report.py\", \"old\": "),
    )]));
    let reply = ask(&client(&server), &hello()).await.0.unwrap();
    assert_eq!(
        reply.calls[0].arguments,
        "{\"path\": \"src/report.py\", \"old\": "
    );
    assert_eq!(reply.finish, Finish::ToolCalls);
}

#[tokio::test]
async fn a_plan_that_ends_without_a_reason_is_not_whole() {
    let table = [
        (Turn::say(PLAN).finish("length"), Finish::Length),
        (
            Turn::say(PLAN).finish("content_filter"),
            Finish::ContentFilter,
        ),
        (Turn::say(PLAN).finish(""), Finish::Unsaid),
        (Turn::say(PLAN).unfinished(), Finish::Unsaid),
        (Turn::say(PLAN).finish("unheard_of"), Finish::Unsaid),
        (Turn::say(PLAN).finish("tool_calls"), Finish::Unsaid),
    ];
    for (turn, expected) in table {
        let server = ModelServer::start(Scenario::new([turn]));
        let reply = ask(&client(&server), &hello()).await.0.unwrap();
        assert_eq!((reply.finish, reply.is_whole()), (expected, false));
        assert_eq!(reply.text, PLAN, "what came is not lost");
        server.finished();
    }
}

#[tokio::test]
async fn a_stream_cut_anywhere_is_never_an_answer() {
    let full = Turn::call("edit_file", json!({"path": "src/a.py", "new": "x = 1"}));
    for bytes in (0..1_400).step_by(97) {
        let server = ModelServer::start(Scenario::new([full.clone().cut_after(bytes).forever()]));
        let (reply, _) = ask(&client(&server), &hello()).await;
        match reply {
            Ok(reply) => assert!(reply.is_whole() && reply.calls[0].arguments.ends_with('}')),
            Err(Failed { error, partial, .. }) => {
                assert_eq!(error, ModelError::Cut, "{bytes}");
                assert!(partial.is_none_or(|reply| !reply.is_whole()), "{bytes}");
            }
        }
    }
}

#[tokio::test]
async fn a_cut_after_the_reason_loses_nothing() {
    let steps = [
        Step::Data(json!({"choices": [{"delta": {"content": "Done."}, "finish_reason": "stop"}]})),
        Step::Cut,
    ];
    let server = ModelServer::start(Scenario::new([Turn::steps(steps)]));
    let reply = ask(&client(&server), &hello()).await.0.unwrap();
    assert!(reply.is_whole() && reply.text == "Done.");
}

/// Sends a request, and advances the clock by `silence` once the server has gone silent and
/// `pieces` of its text were read.
async fn ask_through_silence(
    server: &ModelServer,
    client: &Client,
    clock: &Clock,
    pieces: usize,
    silence: Duration,
) -> (Result<Reply, Failed>, Vec<Event>) {
    let mut events = Vec::new();
    let cancel = CancellationToken::new();
    let request = hello();
    let read = AtomicUsize::new(0);
    let reply = {
        let mut on = |event| {
            if matches!(event, Event::TextDelta { .. }) {
                read.fetch_add(1, Ordering::Relaxed);
            }
            events.push(event);
        };
        let passing = async {
            server_stalls(server).await;
            while read.load(Ordering::Relaxed) < pieces {
                tokio::task::yield_now().await;
            }
            clock.advance(silence);
            std::future::pending::<()>().await;
        };
        tokio::select! {
            reply = client.chat(&request, &cancel, &mut on) => reply,
            () = passing => unreachable!("it waits without end"),
        }
    };
    (reply, events)
}

async fn server_stalls(server: &ModelServer) {
    while server.stalls() == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_late_answer_of_this_machine_is_not_begun_again() {
    let server = ModelServer::start(Scenario::new([
        Turn::say("late").stalled(),
        Turn::say("Fine."),
    ]));
    let clock = Arc::new(Clock::default());
    let client = client_with(&server, None, &clock);
    let silence = Duration::from_secs(20_001);
    let (reply, _) = ask_through_silence(&server, &client, &clock, 0, silence).await;
    let failed = reply.unwrap_err();
    assert!(failed.error.is_late() && failed.made == 1, "{failed:?}");
}

#[tokio::test]
async fn silence_before_the_first_word_ends_and_is_repeated() {
    let server = ModelServer::start(Scenario::new([
        Turn::say("late").stalled(),
        Turn::say("Fine."),
    ]));
    let clock = Arc::new(Clock::default());
    let client = client_of(&server, None, &clock, |options| {
        options.retry.late = 1;
    });
    let silence = Duration::from_secs(20_001);
    let (reply, events) = ask_through_silence(&server, &client, &clock, 0, silence).await;
    assert_eq!(reply.unwrap().text, "Fine.");
    let reason = events.iter().find_map(|event| match event {
        Event::Retry { reason, .. } => Some(reason.as_str()),
        _ => None,
    });
    assert!(
        reason.unwrap().starts_with("no response for 20001 s"),
        "{events:?}"
    );
    assert_eq!(server.finished()[0].ending, Ending::Dropped);
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_in_an_answer_ends_with_what_came() {
    let server = ModelServer::start(Scenario::new([Turn::say(PLAN).stall_after(3)]));
    let clock = Arc::new(Clock::default());
    let client = client_with(&server, None, &clock);
    let silence = Duration::from_secs(10_001);
    let (reply, _) = ask_through_silence(&server, &client, &clock, 2, silence).await;
    let failed = reply.unwrap_err();
    assert!(
        matches!(
            failed.error,
            ModelError::Stalled {
                at_start: false,
                ..
            }
        ),
        "{failed:?}"
    );
    let partial = failed.partial.unwrap();
    assert_eq!(partial.finish, Finish::Cut(CutBy::Silence));
    assert!(PLAN.starts_with(&partial.text) && !partial.text.is_empty());
    server.wait_until_dropped(1);
}

#[tokio::test]
async fn silence_is_told_long_before_it_ends_a_request() {
    let server = ModelServer::start(Scenario::new([Turn::say(PLAN).stall_after(3)]));
    let clock = Arc::new(Clock::default());
    let client = client_with(&server, None, &clock);
    let request = hello();
    let cancel = CancellationToken::new();
    let mut quiet = Vec::new();
    let hand = cancel.clone();
    let mut on = |event| {
        if let Event::Quiet { silence_ms } = event {
            quiet.push(silence_ms);
            hand.cancel();
        }
    };
    let passing = async {
        server_stalls(&server).await;
        loop {
            tokio::task::yield_now().await;
            clock.advance(Duration::from_secs(1));
        }
    };
    let reply = tokio::select! {
        reply = client.chat(&request, &cancel, &mut on) => reply,
        () = passing => unreachable!(),
    };
    assert_eq!(reply.unwrap_err().error, ModelError::Cancelled);
    assert_eq!(quiet.len(), 1);
    assert!((4_000_000..10_000_000).contains(&quiet[0]), "{quiet:?}");
}

#[tokio::test]
async fn comments_are_signs_of_life_and_silence_after_them_is_none() {
    let comments = std::iter::repeat_n(Step::Raw(": keep-alive\n\n".to_owned()), 50);
    let server = ModelServer::start(Scenario::new([Turn::steps(comments.chain([Step::Stall]))]));
    let clock = Arc::new(Clock::default());
    let client = client_with(&server, None, &clock);
    let (cancel, request) = (CancellationToken::new(), hello());
    let passing = async {
        server_stalls(&server).await;
        // The client may still have comments to read, each of which restarts the wait, so keep
        // advancing the clock.
        loop {
            clock.advance(Duration::from_secs(20_001));
            tokio::task::yield_now().await;
        }
    };
    let mut ignore = |_| {};
    let reply = tokio::select! {
        reply = client.chat(&request, &cancel, &mut ignore) => reply,
        () = passing => unreachable!("it waits without end"),
    };
    assert!(reply.unwrap_err().error.is_late());
}

#[tokio::test]
async fn a_connection_held_open_after_the_end_is_not_waited_for() {
    let held = [
        Step::Data(json!({"choices": [{"delta": {"content": "Done."}, "finish_reason": "stop"}]})),
        Step::Stall,
    ];
    let server = ModelServer::start(Scenario::new([Turn::steps(held)]));
    let clock = Arc::new(Clock::default());
    let client = client_with(&server, None, &clock);
    let silence = Duration::from_secs(2_001);
    let (reply, _) = ask_through_silence(&server, &client, &clock, 1, silence).await;
    assert!(reply.unwrap().is_whole());
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_ends_at_the_next_event_and_closes_the_connection() {
    let server = ModelServer::start(Scenario::new([Turn::say(PLAN).stall_after(4)]));
    let client = client(&server);
    let cancel = CancellationToken::new();
    let hand = cancel.clone();
    let mut after = 0;
    let reply = client
        .chat(&hello(), &cancel, &mut |event| match event {
            Event::TextDelta { .. } if hand.is_cancelled() => after += 1,
            Event::TextDelta { .. } => hand.cancel(),
            _ => {}
        })
        .await;
    let failed = reply.unwrap_err();
    assert_eq!(failed.error, ModelError::Cancelled);
    assert_eq!(failed.partial.unwrap().finish, Finish::Cut(CutBy::Caller));
    assert!(
        after <= 3,
        "at most what had come in the same piece: {after}"
    );
    server.wait_until_dropped(1);
    assert_eq!(server.requests()[0].ending, Ending::Dropped);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_before_the_status_closes_the_connection_too() {
    let server = ModelServer::start(Scenario::new([Turn::say("late").stalled()]));
    let client = client(&server);
    let cancel = CancellationToken::new();
    let request = hello();
    let hand = cancel.clone();
    let cancelling = async {
        server_stalls(&server).await;
        hand.cancel();
        std::future::pending::<()>().await;
    };
    let mut on = |_| ();
    let reply = tokio::select! {
        reply = client.chat(&request, &cancel, &mut on) => reply,
        () = cancelling => unreachable!(),
    };
    assert_eq!(reply.unwrap_err().error, ModelError::Cancelled);
    server.wait_until_dropped(1);
}

#[tokio::test]
async fn a_page_in_place_of_an_answer_is_told() {
    let page = Turn {
        body: Some(json!("<!DOCTYPE html><p>Welcome")),
        ..Turn::default()
    };
    let server = ModelServer::start(Scenario::new([page]));
    let failed = ask(&client(&server), &hello()).await.0.unwrap_err();
    assert_eq!(
        failed.error.to_string(),
        "unexpected response from the server (a web page); check base_url"
    );
}

#[tokio::test]
async fn an_answer_that_was_not_streamed_is_one() {
    let plain = Turn {
        body: Some(
            json!({"choices": [{"message": {"content": "Done."}, "finish_reason": "stop"}]}),
        ),
        ..Turn::default()
    };
    let server = ModelServer::start(Scenario::new([plain]));
    let reply = ask(&client(&server), &hello()).await.0.unwrap();
    assert!(reply.is_whole() && reply.text == "Done.");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_answer_is_stopped() {
    let endless = Turn::say("again and ".repeat(100_000));
    let server = ModelServer::start(Scenario::new([endless]));
    let clock = Arc::new(Clock::default());
    let client = client_of(&server, None, &clock, |options| {
        options.limits.reply = 10_000
    });
    let failed = ask(&client, &hello()).await.0.unwrap_err();
    assert_eq!(failed.error, ModelError::TooLong { limit: 10_000 });
    assert!(failed.partial.unwrap().text.len() <= 10_000);
    server.wait_until_dropped(1);
}

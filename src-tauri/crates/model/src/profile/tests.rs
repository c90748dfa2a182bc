//! Unit tests for guesses, scores, counters and overrides.

use serde_json::json;

use super::*;
use crate::{Finish, ModelError, Reply, ToolCall};

use Reliability::{High, Low, Medium};

#[test]
fn the_seeds_models_are_guessed_as_the_seed_says() {
    let table = [
        ("gpt-4", High, High, Strategy::Upfront, 10, false),
        (
            "openai/gpt-4o-mini",
            High,
            High,
            Strategy::Upfront,
            10,
            false,
        ),
        ("claude-3-opus", High, High, Strategy::Upfront, 10, false),
        ("claude-3-sonnet", High, Medium, Strategy::Hybrid, 5, false),
        ("llama-3-70b", Medium, Medium, Strategy::Hybrid, 5, true),
        (
            "llama3.1:70b-instruct-q4_K_M",
            Medium,
            Medium,
            Strategy::Hybrid,
            5,
            true,
        ),
        ("llama-3-8b", Low, Low, Strategy::Iterative, 2, true),
        ("mistral-7b", Low, Low, Strategy::Iterative, 2, true),
        (
            "mistral:7b-instruct",
            Low,
            Low,
            Strategy::Iterative,
            2,
            true,
        ),
        (
            "qwen-2.5-coder-7b",
            Medium,
            Medium,
            Strategy::Iterative,
            3,
            true,
        ),
        (
            "qwen2.5-coder:7b",
            Medium,
            Medium,
            Strategy::Iterative,
            3,
            true,
        ),
    ];
    for (model, tools, json, strategy, tasks, simple) in table {
        let found = guess(model, None);
        let is = (
            found.tool_calling_reliability,
            found.json_reliability,
            found.recommended_strategy,
            found.max_tasks_per_plan,
            found.needs_simplified_prompts,
        );
        assert_eq!(is, (tools, json, strategy, tasks, simple), "{model}");
    }
}

#[test]
fn other_models_are_guessed_by_their_size() {
    let table = [
        ("phi-4-mini:3.8b", Low, EditForm::WholeFile),
        ("qwen3:14b", Medium, EditForm::Replace),
        ("llama-3-17b", Medium, EditForm::Replace),
        ("mixtral-8x7b", Medium, EditForm::Replace),
        ("qwen3-30b-a3b", Medium, EditForm::Replace),
        ("my-finetune", Medium, EditForm::Replace),
        ("gpt-5-mini", High, EditForm::Replace),
        ("o3", High, EditForm::Replace),
        ("", Medium, EditForm::Replace),
    ];
    for (model, tools, form) in table {
        let found = guess(model, None);
        assert_eq!(
            (found.tool_calling_reliability, found.edit_form),
            (tools, form),
            "{model}"
        );
    }
    assert_eq!(
        guess("my-finetune:7b", None).context_window,
        4_096,
        "the smallest that servers give"
    );
    assert_eq!(
        guess("my-finetune", None).context_window,
        32_768,
        "a name that tells nothing is no reason to cut everything short"
    );
    assert_eq!(guess("my-finetune", Some(9_000)).context_window, 9_000);
}

#[test]
fn the_names_are_the_seeds() {
    let value = serde_json::to_value(guess("gpt-4", None)).unwrap();
    for name in [
        "contextWindow",
        "toolCallingReliability",
        "jsonReliability",
        "recommendedStrategy",
        "maxTasksPerPlan",
        "needsSimplifiedPrompts",
        "supportsStructuredOutput",
        "maxOutputTokens",
    ] {
        assert!(value.get(name).is_some(), "{name}");
    }
    assert_eq!(value["recommendedStrategy"], "upfront");
    assert_eq!(value["toolCallingReliability"], "high");
}

#[test]
fn an_answer_gets_the_room_it_needs() {
    let mut profile = guess("qwen2.5-coder:7b", Some(8_192));
    assert_eq!(profile.output_limit(1_500), 1_500);
    assert_eq!(profile.output_limit(9_000), 4_096);
    profile.max_output_tokens = 50_000;
    assert_eq!(
        profile.output_limit(9_000),
        4_096,
        "half of the window is the prompt's"
    );
    profile.context_window = 100_000;
    profile.reasons = true;
    assert_eq!(profile.output_limit(1_500), 1_500 + 4_096);
    profile.reasoning = Some(ReasoningEffort::None);
    assert_eq!(profile.output_limit(1_500), 1_500);
}

#[test]
fn too_small_a_window_is_known_before_it_is_used() {
    let profile = guess("x:7b", Some(4_096));
    assert_eq!(profile.fits(2_000, 2_096), Ok(()));
    assert_eq!(profile.fits(2_000, 2_097), Err(8_192));
    assert_eq!(profile.fits(u64::MAX, 1), Err(u64::MAX));
}

#[test]
fn what_was_learned_belongs_to_one_model_at_one_endpoint() {
    let one = cache_key("http://localhost:11434/v1/", "a b", "t");
    assert_eq!(one, cache_key("http://LOCALHOST:11434/v1", "a b", "t"));
    for other in [
        cache_key("http://localhost:11434/v1", "a", "b t"),
        cache_key("http://localhost:11435/v1", "a b", "t"),
        cache_key("http://localhost:11434/v1", "a b", "u"),
    ] {
        assert_ne!(one, other);
    }
}

fn called(name: &str, arguments: serde_json::Value) -> ToolCall {
    ToolCall {
        id: "a".to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_string(),
    }
}

fn calling(calls: Vec<ToolCall>) -> Result<Reply, ModelError> {
    let finish = Finish::ToolCalls;
    Ok(Reply {
        calls,
        finish,
        ..Reply::default()
    })
}

fn saying(text: &str) -> Result<Reply, ModelError> {
    let (text, finish) = (text.to_owned(), Finish::Stop);
    Ok(Reply {
        text,
        finish,
        ..Reply::default()
    })
}

fn marked(answers: Vec<(Trial, Result<Reply, ModelError>)>) -> ProbeResult {
    let mut result = ProbeResult::default();
    for (trial, answer) in answers {
        score(&mut result, trial, &answer);
    }
    result
}

fn read(path: &str) -> ToolCall {
    called("read_file", json!({ "path": path }))
}

fn able() -> Vec<(Trial, Result<Reply, ModelError>)> {
    let (one, two) = (read(score::PATH), read(score::SECOND_PATH));
    let hard = called("write_text", json!({ "text": score::HARD_TEXT }));
    vec![
        (Trial::OneCall, calling(vec![one.clone()])),
        (Trial::Schema, saying(r#"{"count": 8, "word": "eight"}"#)),
        (Trial::HardArguments, calling(vec![hard])),
        (
            Trial::PlainJson,
            saying("```json\n{\"count\": 7, \"word\": \"seven\"}\n```"),
        ),
        (Trial::ForcedCall, calling(vec![one.clone()])),
        (Trial::TwoCalls, calling(vec![one, two])),
    ]
}

#[test]
fn an_able_model_is_trusted() {
    let result = marked(able());
    assert!(result.is_complete());
    let profile = result.applied_to(&guess("my-finetune", None));
    assert_eq!(profile.tool_calling_reliability, High);
    assert_eq!(profile.json_reliability, High);
    assert_eq!(profile.tool_channel, ToolChannel::Native);
    assert!(profile.parallel_calls && profile.supports_structured_output);
    assert!(profile.honours_tool_choice);
    assert_eq!(
        profile.recommended_strategy,
        Strategy::Hybrid,
        "planning was not tried"
    );
}

#[test]
fn a_model_that_types_its_calls_gets_the_other_channel() {
    let typed = r#"{"name": "read_file", "arguments": {"path": "notes/todo.txt"}}"#;
    let result = marked(vec![
        (Trial::OneCall, saying(typed)),
        (Trial::Schema, saying("Eight legs")),
        (Trial::HardArguments, saying("write_text")),
        (Trial::PlainJson, saying("Sure! {\"count\": 7}")),
        (Trial::ForcedCall, saying("Hello!")),
        (Trial::TwoCalls, saying(typed)),
    ]);
    assert_eq!(result.native_tools, NativeTools::AsText);
    let profile = result.applied_to(&guess("gpt-4", None));
    assert_eq!(profile.tool_channel, ToolChannel::JsonText);
    assert_eq!(profile.tool_calling_reliability, Low);
    assert_eq!(profile.json_reliability, Low);
    assert_eq!(profile.recommended_strategy, Strategy::Iterative);
    assert_eq!(profile.max_tasks_per_plan, 2);
    assert!(profile.needs_simplified_prompts && !profile.honours_tool_choice);
    assert!(!profile.supports_structured_output && !profile.parallel_calls);
}

#[test]
fn damaged_arguments_count_as_bad_calls() {
    let mut answers = able();
    let damaged = ToolCall {
        arguments: "{\"text\": \"say(".to_owned(),
        ..ToolCall::default()
    };
    answers[2].1 = calling(vec![damaged]);
    let profile = marked(answers).applied_to(&guess("gpt-4", None));
    assert_eq!(profile.tool_calling_reliability, Medium);
    assert_eq!(profile.recommended_strategy, Strategy::Hybrid);
}

#[test]
fn a_refusal_is_a_finding_and_a_failure_is_none() {
    let no_tools = || {
        Err(ModelError::NoTools {
            said: String::new(),
        })
    };
    let result = marked(vec![
        (Trial::OneCall, no_tools()),
        (Trial::ForcedCall, no_tools()),
    ]);
    assert_eq!(result.native_tools, NativeTools::Refused);
    assert_eq!(result.tool_choice, OptionSupport::Refused);
    assert_eq!(result.ended, None);

    let before = guess("gpt-4", None);
    let broken = marked(vec![(Trial::OneCall, Err(ModelError::Cut))]);
    assert!(broken.ended.is_some() && broken.done.is_empty());
    assert_eq!(broken.applied_to(&before), before);
}

#[test]
fn a_result_can_be_kept() {
    let result = marked(able());
    let kept = serde_json::to_string(&result).unwrap();
    assert_eq!(serde_json::from_str::<ProbeResult>(&kept).unwrap(), result);
    assert_eq!(
        serde_json::from_str::<ProbeResult>("{}").unwrap(),
        ProbeResult::default()
    );
}

fn noted(faults: &[Option<Fault>]) -> (Counters, Vec<Downgrade>) {
    let mut counters = Counters::default();
    let down = faults
        .iter()
        .filter_map(|fault| counters.note(*fault))
        .collect();
    (counters, down)
}

#[test]
fn repeated_faults_bring_a_profile_down() {
    let text = Some(Fault::TextCall);
    let bad = Some(Fault::Arguments);
    let unknown = Some(Fault::UnknownTool);
    let json = Some(Fault::Json);
    let far = [&[bad][..], &[None; 10], &[bad]].concat();
    let table: [(&[Option<Fault>], &[Downgrade]); 10] = [
        (&[None; 20], &[]),
        (&[text], &[]),
        (&[text, text], &[Downgrade::Channel]),
        (&[text, json, text], &[Downgrade::Channel]),
        (&[text, None, text], &[]),
        (&[text; 6], &[Downgrade::Channel]),
        (&[bad, None, unknown], &[Downgrade::Tools]),
        (&[bad; 9], &[Downgrade::Tools, Downgrade::Tools]),
        (&[json, json, bad], &[Downgrade::Json]),
        (&far, &[]),
    ];
    for (faults, expected) in table {
        assert_eq!(noted(faults).1, expected, "{faults:?}");
    }
}

#[test]
fn what_came_down_shows_in_the_profile() {
    let first = guess("gpt-4", None);
    let of = |faults: &[Option<Fault>]| noted(faults).0.applied_to(&first);
    assert_eq!(of(&[None; 5]), first);
    assert_eq!(
        of(&[Some(Fault::TextCall); 2]).tool_channel,
        ToolChannel::JsonText
    );
    let once = of(&[Some(Fault::Arguments); 2]);
    assert_eq!(once.tool_calling_reliability, Medium);
    assert_eq!(once.recommended_strategy, Strategy::Hybrid);
    let twice = of(&[Some(Fault::Json); 4]);
    assert_eq!(twice.json_reliability, Low);
    assert_eq!(twice.recommended_strategy, Strategy::Iterative);
}

#[test]
fn the_user_has_the_last_word_and_each_source_is_told() {
    let probe = marked(able());
    let (counters, _) = noted(&[Some(Fault::TextCall); 2]);
    let user = Overrides {
        context_window: Some(65_536),
        ..Overrides::default()
    };
    let all = Sourced::of("my-finetune", Some(&probe), &counters, &user);
    assert_eq!(all.profile.context_window, 65_536);
    let source = |name: &str| all.sources[name];
    assert_eq!(source("contextWindow"), Source::User);
    assert_eq!(source("toolChannel"), Source::Counters);
    assert_eq!(source("jsonReliability"), Source::Probe);
    assert_eq!(source("maxTasksPerPlan"), Source::Name);
    let overruled = Overrides {
        tool_channel: Some(ToolChannel::Native),
        ..Overrides::default()
    };
    let all = Sourced::of("my-finetune", Some(&probe), &counters, &overruled);
    assert_eq!(all.profile.tool_channel, ToolChannel::Native);
}

#[test]
fn what_confirms_a_guess_is_its_source_then() {
    let probe = ProbeResult {
        window: Some(crate::servers::Window {
            tokens: guess("my-7b", None).context_window,
            trained: None,
            source: crate::servers::WindowSource::Usual,
        }),
        ..ProbeResult::default()
    };
    let user = Overrides {
        max_tasks_per_plan: Some(guess("my-7b", None).max_tasks_per_plan),
        ..Overrides::default()
    };
    let all = Sourced::of("my-7b", Some(&probe), &Counters::default(), &user);
    assert_eq!(all.profile, guess("my-7b", None));
    assert_eq!(all.sources["contextWindow"], Source::Probe);
    assert_eq!(all.sources["maxTasksPerPlan"], Source::User);
    assert_eq!(all.sources["toolChannel"], Source::Name);
}

#[test]
fn a_window_that_a_refusal_names_lowers_the_profile_and_is_kept() {
    let mut counters = Counters::default();
    counters.note_window(4_096);
    counters.note_window(16_384);
    assert_eq!(counters.window(), Some(4_096), "the smallest counts");
    let first = guess("qwen2.5:7b", Some(32_768));
    assert!(first.context_window > 4_096);
    assert_eq!(counters.applied_to(&first).context_window, 4_096);
    let text = serde_json::to_string(&counters).unwrap();
    let kept: Counters = serde_json::from_str(&text).unwrap();
    assert_eq!(kept, counters);
    let none = serde_json::to_string(&Counters::default()).unwrap();
    assert!(!none.contains("window"), "{none}");
}

//! Tests of revisions by an agent whose turns are scripted.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use workbench::settings::agents::AgentEntry;
use workbench::step_agents::{AgentInfo, AgentStart, StepAgent, StepAgents};
use workbench::wire::ModelEvent;
use workbench::{CancelToken, Code, Environment, PlanningAgent, ProposedText, Workbench};

use crate::lock;
use crate::testing::Fixture;
use crate::wire::{DesktopEvent, GoalRequest, PlanRevised, Reviser, RevisionRequest};

const PLAN: &str = "\
# Greet in German

## Tasks
- [ ] **T1** Change the greeting in `hello.py` to Moin
  - files: `hello.py`
  - verify: `grep -q Moin hello.py`
";

/// One scripted turn of the agent.
#[derive(Debug)]
enum Turn {
    /// Proposes this plan.
    Propose(String),
    /// Fails with this message.
    Fail(&'static str),
    /// Signals that it has begun, and waits until it is cancelled.
    Hang(Sender<()>),
    /// Signals that it has begun, waits for a signal, and proposes this plan.
    Wait(Sender<()>, Receiver<()>, String),
}

/// An agent with its remaining turns and the prompts that it received.
#[derive(Debug, Clone, Default)]
struct Scripted {
    turns: Arc<Mutex<VecDeque<Turn>>>,
    prompts: Arc<Mutex<Vec<String>>>,
}

impl PlanningAgent for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn title(&self) -> &str {
        "Scripted agent"
    }

    fn has_conversation(&self) -> bool {
        false
    }

    fn propose(
        &mut self,
        prompt: &str,
        cancel: &CancelToken,
        sink: &mut dyn FnMut(ModelEvent),
    ) -> workbench::Result<ProposedText> {
        lock(&self.prompts).push(prompt.to_owned());
        let text = "I see.".to_owned();
        sink(ModelEvent::Text { text });
        let turn = lock(&self.turns).pop_front().unwrap();
        let text = match turn {
            Turn::Propose(text) => text,
            Turn::Fail(words) => return Err(err!(Failed: "Scripted agent: {words}")),
            Turn::Hang(began) => {
                began.send(()).unwrap();
                while !cancel.is_cancelled() {
                    std::thread::yield_now();
                }
                return Err(err!(Cancelled: "cancelled"));
            }
            Turn::Wait(began, word, text) => {
                began.send(()).unwrap();
                word.recv().unwrap();
                text
            }
        };
        Ok(ProposedText {
            text,
            ..ProposedText::default()
        })
    }
}

impl StepAgents for Scripted {
    fn find(&self, name: &str, _: &[AgentEntry], _: &Environment) -> Result<AgentInfo, String> {
        Err(format!("“{name}” carries out no steps"))
    }

    fn installed(&self, _: &[AgentEntry], _: &Environment) -> Vec<AgentInfo> {
        Vec::new()
    }

    fn start(
        &self,
        start: AgentStart<'_>,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<Box<dyn StepAgent>, String> {
        Err(format!("“{}” carries out no steps", start.name))
    }

    fn planner(
        &self,
        _: Workbench,
        _: &Path,
        name: &str,
    ) -> workbench::Result<Box<dyn PlanningAgent + Send>> {
        match name {
            "scripted" => Ok(Box::new(self.clone())),
            _ => Err(err!(Usage: "unknown agent “{name}”; add it to `agents` in your settings")),
        }
    }
}

/// A workspace with a plan that the agent wrote for a goal.
struct Site {
    fixture: Fixture,
    agent: Scripted,
    plan: String,
}

impl Site {
    fn new() -> Self {
        let fixture = Fixture::with_plan("# Other\n");
        let agent = Scripted::default();
        fixture.desktop.set_agents(Arc::new(agent.clone()));
        lock(&agent.turns).push_back(Turn::Propose(PLAN.to_owned()));
        let made = fixture.desktop.make_plan(GoalRequest {
            job: "plan".to_owned(),
            workspace: fixture.root.display().to_string(),
            goal: "Make the greeting German".to_owned(),
            requirements: None,
            template: None,
            without_template: false,
            effort: "auto".to_owned(),
            pins: Vec::new(),
            agent: Some("scripted".to_owned()),
            reason: None,
        });
        let plan = made.unwrap().plan.plan;
        Self {
            fixture,
            agent,
            plan,
        }
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.plan).unwrap()
    }

    /// The plan's text with another greeting.
    fn with(&self, greeting: &str) -> String {
        self.text().replace("Moin", greeting)
    }

    fn next(&self, turn: Turn) {
        lock(&self.agent.turns).push_back(turn);
    }

    /// Requests changes with this text, as the dialog does.
    fn request(&self, words: &str, reviser: Reviser) {
        let desktop = &self.fixture.desktop;
        let revision = desktop.outline(&self.plan, None).unwrap().revision;
        let told = desktop.request_changes(&self.plan, &revision, words, reviser);
        assert_eq!(told.unwrap(), 0);
    }

    fn revise(&self) -> workbench::Result<PlanRevised> {
        self.fixture.desktop.revise_with_agent(&RevisionRequest {
            job: "revision".to_owned(),
            plan: self.plan.clone(),
            agent: "scripted".to_owned(),
        })
    }

    /// The comments and whether each was sent.
    fn comments(&self) -> Vec<(String, bool)> {
        let comments = self.fixture.desktop.comments(&self.plan).unwrap();
        let comments = comments.into_iter();
        comments.map(|one| (one.text, one.is_sent)).collect()
    }

    fn prompts(&self) -> Vec<String> {
        lock(&self.agent.prompts).clone()
    }

    #[track_caller]
    fn assert_nothing_is_approved(&self) {
        let workbench = self.fixture.desktop.shared.workbench();
        assert_eq!(workbench.store.approvals().of_plan(&self.plan).unwrap(), []);
    }
}

#[test]
fn a_plan_says_which_agent_wrote_it() {
    let site = Site::new();
    let route = site.fixture.desktop.plan_route(&site.plan).unwrap();
    let route = route.unwrap();
    assert_eq!(route.solver, "gs-agent");
    assert_eq!(route.agent.as_deref(), Some("scripted"));
}

#[test]
fn the_agent_revises_its_plan_and_only_then_has_its_comments() {
    let site = Site::new();
    site.request("Say Servus.", Reviser::Agent);
    assert_eq!(site.comments(), [("Say Servus.".to_owned(), false)]);
    let new = site.with("Servus");
    site.next(Turn::Propose(new.clone()));
    let revised = site.revise().unwrap();
    assert_eq!(revised.plan, site.plan);
    assert_eq!(revised.notices, Vec::<String>::new());
    assert_eq!(site.text(), new);
    assert_eq!(site.comments(), [("Say Servus.".to_owned(), true)]);
    let prompts = site.prompts();
    assert_eq!(prompts.len(), 2);
    assert!(prompts[1].contains("Say Servus."), "{}", prompts[1]);
    assert!(prompts[1].contains("Moin"), "{}", prompts[1]);
    // The windows are notified that somebody else wrote the revision.
    let events = site.fixture.events();
    let is_ours = |event: &&DesktopEvent| {
        matches!(event, DesktopEvent::Plan { plan, author, .. }
            if *plan == site.plan && author == "outside")
    };
    assert!(events.iter().any(|event| is_ours(&event)), "{events:?}");
    site.assert_nothing_is_approved();
    // All comments were sent, so there is nothing to revise.
    assert_eq!(site.revise().unwrap_err().code, Code::Usage);
}

#[test]
fn a_failed_or_cancelled_revision_leaves_the_request_to_be_sent_again() {
    let site = Site::new();
    let before = site.text();
    site.request("Say Servus.", Reviser::Agent);
    site.next(Turn::Fail("no key is set; log in"));
    let error = site.revise().unwrap_err();
    assert_eq!(error.message, "Scripted agent: no key is set; log in");
    assert_eq!(site.comments(), [("Say Servus.".to_owned(), false)]);

    let (began, has_begun) = channel();
    site.next(Turn::Hang(began));
    std::thread::scope(|scope| {
        let revision = scope.spawn(|| site.revise());
        has_begun.recv().unwrap();
        let twice = site.revise().unwrap_err();
        assert!(twice.message.contains("already in progress"), "{twice}");
        site.fixture.desktop.cancel_planning("revision").unwrap();
        let error = revision.join().unwrap().unwrap_err();
        assert_eq!(error.code, Code::Cancelled);
    });
    assert_eq!(site.text(), before);
    assert_eq!(site.comments(), [("Say Servus.".to_owned(), false)]);

    site.next(Turn::Propose(site.with("Servus")));
    site.revise().unwrap();
    assert!(
        site.prompts()
            .iter()
            .skip(1)
            .all(|prompt| prompt.contains("Say Servus."))
    );
    assert_eq!(site.comments(), [("Say Servus.".to_owned(), true)]);
    site.assert_nothing_is_approved();
}

#[test]
fn while_the_agent_works_the_person_sees_it_and_goes_on() {
    let site = Site::new();
    let desktop = &site.fixture.desktop;
    site.request("Say Servus.", Reviser::Agent);
    let new = site.with("Servus");
    let (began, has_begun) = channel();
    let (word, waits) = channel();
    site.next(Turn::Wait(began, waits, new));
    std::thread::scope(|scope| {
        let revision = scope.spawn(|| site.revise());
        has_begun.recv().unwrap();
        // The person edits both comments and the plan meanwhile.
        let [first] = &desktop.comments(&site.plan).unwrap()[..] else {
            panic!("one comment");
        };
        desktop
            .edit_comment(&site.plan, first.id, "Say Griaß di.")
            .unwrap();
        std::fs::write(&site.plan, format!("{}\n## Notes\n\nMine.\n", site.text())).unwrap();
        word.send(()).unwrap();
        revision.join().unwrap().unwrap();
    });
    let text = site.text();
    assert!(text.contains("Servus") && text.contains("Mine."), "{text}");
    // The agent never received the edited comment, so it is still unsent.
    assert_eq!(site.comments(), [("Say Griaß di.".to_owned(), false)]);
    let events = site.fixture.events();
    let is_progress = |event: &&DesktopEvent| {
        matches!(event, DesktopEvent::Planning { job, phase, .. }
            if job == "revision" && phase == "Scripted agent reads the plan and revises it")
    };
    assert!(events.iter().any(|event| is_progress(&event)), "{events:?}");
}

#[test]
fn a_request_to_nobody_is_stored_and_an_unknown_agent_is_explained() {
    let site = Site::new();
    site.request("Say Servus.", Reviser::Nobody);
    assert_eq!(site.comments(), [("Say Servus.".to_owned(), true)]);
    assert_eq!(site.prompts().len(), 1);

    site.request("Say Grüezi.", Reviser::Agent);
    let unknown = site.fixture.desktop.revise_with_agent(&RevisionRequest {
        job: "revision".to_owned(),
        plan: site.plan.clone(),
        agent: "gone".to_owned(),
    });
    let error = unknown.unwrap_err();
    assert!(error.message.contains("unknown agent “gone”"), "{error}");
    assert!(site.comments().contains(&("Say Grüezi.".to_owned(), false)));
    site.assert_nothing_is_approved();
}

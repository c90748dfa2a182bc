//! A small project in a Git repository with a data folder, and an editor connected to Planwright's
//! ACP agent.

pub(crate) mod model;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, InitializeRequest, InitializeResponse, NewSessionRequest,
    PromptRequest, RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse,
    SelectedPermissionOutcome, SessionId, SessionNotification, SessionUpdate, StopReason,
    TextContent,
};
use agent_client_protocol::{
    Agent, ByteStreams, Client, Error as ProtocolError, on_receive_notification, on_receive_request,
};
use tokio_util::compat::{TokioAsyncReadCompatExt as _, TokioAsyncWriteCompatExt as _};
use workbench::{Environment, Workbench};

pub(crate) const GOAL: &str = "Rename the function total to sum_rows everywhere";
pub(crate) const RUN: &str = "planwright_approve_and_run";
pub(crate) const STORE: &str = "planwright_approve_without_running";
pub(crate) const NOT_NOW: &str = "planwright_not_now";
pub(crate) const SOURCE: &str =
    "def total(rows):\n    return sum(rows)\n\n\ndef report(rows):\n    return str(total(rows))\n";

/// The person's response to a permission request.
pub(crate) enum Says {
    /// Chooses the option with this ID, even if it wasn't offered.
    Option(String),
    /// Dismisses the request.
    Cancelled,
    /// The editor responds with an error.
    Error,
}

impl Says {
    pub(crate) fn option(id: &str) -> Self {
        Self::Option(id.to_owned())
    }
}

type Person = Box<dyn FnMut(&RequestPermissionRequest, &ConnectionTo<Agent>) -> Says + Send>;

/// A person whose answers come from this function.
pub(crate) fn person(
    answer: impl FnMut(&RequestPermissionRequest, &ConnectionTo<Agent>) -> Says + Send + 'static,
) -> Person {
    Box::new(answer)
}

/// A person who always chooses the offered option whose ID or name is in this list.
pub(crate) fn always(ids: &'static [&'static str]) -> Person {
    Box::new(|request, _| {
        let mut options = request.options.iter();
        let found = options.find(|option| {
            ids.contains(&&*option.option_id.0) || ids.contains(&option.name.as_str())
        });
        found.map_or(Says::Cancelled, |option| Says::option(&option.option_id.0))
    })
}

/// A person who gives these answers in order, then dismisses every request.
pub(crate) fn one_by_one(answers: Vec<Says>) -> Person {
    let mut answers = answers.into_iter();
    Box::new(move |_, _| answers.next().unwrap_or(Says::Cancelled))
}

/// The updates and permission requests that the editor received.
#[derive(Default)]
struct Seen {
    updates: Vec<SessionUpdate>,
    asked: Vec<RequestPermissionRequest>,
}

/// The editor's side of the connection.
pub(crate) struct Editor {
    pub(crate) connection: ConnectionTo<Agent>,
    seen: Arc<Mutex<Seen>>,
    folder: PathBuf,
}

impl Editor {
    pub(crate) async fn initialize(&self) -> InitializeResponse {
        let hello = InitializeRequest::new(ProtocolVersion::V1);
        self.connection
            .send_request(hello)
            .block_task()
            .await
            .unwrap()
    }

    pub(crate) async fn open(&self) -> SessionId {
        self.initialize().await;
        let request = NewSessionRequest::new(self.folder.clone());
        let opened = self.connection.send_request(request).block_task().await;
        opened.unwrap().session_id
    }

    pub(crate) async fn prompt(
        &self,
        session: &SessionId,
        words: &str,
    ) -> Result<StopReason, ProtocolError> {
        let block = ContentBlock::Text(TextContent::new(words));
        let request = PromptRequest::new(session.clone(), vec![block]);
        let answered = self.connection.send_request(request).block_task().await?;
        Ok(answered.stop_reason)
    }

    pub(crate) fn cancel(&self, session: &SessionId) {
        let cancel = CancelNotification::new(session.clone());
        self.connection.send_notification(cancel).unwrap();
    }

    /// The text of all answers received.
    pub(crate) fn text(&self) -> String {
        let seen = self.seen.lock().unwrap();
        let chunks = seen.updates.iter().filter_map(|update| match update {
            SessionUpdate::AgentMessageChunk(chunk) => match &chunk.content {
                ContentBlock::Text(text) => Some(text.text.as_str()),
                _ => None,
            },
            _ => None,
        });
        chunks.collect()
    }

    /// The permission requests received.
    pub(crate) fn asked(&self) -> Vec<RequestPermissionRequest> {
        self.seen.lock().unwrap().asked.clone()
    }

    /// The titles of the permission requests received.
    pub(crate) fn titles(&self) -> Vec<String> {
        let asked = self.asked().into_iter();
        let titles = asked.map(|request| request.tool_call.fields.title);
        titles.map(Option::unwrap_or_default).collect()
    }

    /// The status of each plan entry, as last shown.
    pub(crate) fn entries(&self) -> Vec<(String, String)> {
        let seen = self.seen.lock().unwrap();
        let mut plans = seen.updates.iter().rev();
        let plan = plans.find_map(|update| match update {
            SessionUpdate::Plan(plan) => Some(plan.entries.clone()),
            _ => None,
        });
        let entries = plan.unwrap_or_default().into_iter();
        let status = |status| serde_json::to_value(status).unwrap();
        entries
            .map(|entry| {
                let status = status(entry.status);
                (entry.content, status.as_str().unwrap().to_owned())
            })
            .collect()
    }
}

/// A test project.
pub(crate) struct Site {
    folder: tempfile::TempDir,
    pub(crate) bench: Workbench,
}

impl Site {
    pub(crate) fn new() -> Self {
        Self::with(Vec::new())
    }

    /// A project with a model that writes plans.
    pub(crate) fn with_model(model: &model::Model) -> Self {
        let variable = |name: &str, value: &str| (name.to_owned(), value.into());
        Self::with(vec![
            variable("PLANWRIGHT_BASE_URL", &model.base_url),
            variable("PLANWRIGHT_MODEL", "scripted"),
        ])
    }

    fn with(further: Vec<(String, OsString)>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "data", "project/src"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let path = |name: &str| folder.path().join(name).into_os_string();
        let own = vec![
            ("HOME".to_owned(), path("home")),
            ("PLANWRIGHT_HOME".to_owned(), path("data")),
            ("PATH".to_owned(), std::env::var_os("PATH").unwrap()),
        ];
        let environment = Environment {
            variables: own.into_iter().chain(further).collect(),
            cwd: folder.path().join("home"),
            program: PathBuf::from("/nonexistent"),
        };
        let (bench, _) = Workbench::open(environment).unwrap();
        let site = Self { folder, bench };
        std::fs::write(site.path("src/report.py"), SOURCE).unwrap();
        site.git(&["init", "-q"]);
        site.git(&["add", "-A"]);
        site.git(&["commit", "-qm", "start"]);
        site
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
        let status = git.args(arguments).current_dir(self.path("")).status();
        assert!(status.unwrap().success(), "git {arguments:?}");
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        let root = self.folder.path().join("project").canonicalize().unwrap();
        root.join(path)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn settings(&self, json: &str) {
        std::fs::write(&self.bench.home.settings_file, json).unwrap();
    }

    pub(crate) fn source(&self) -> String {
        std::fs::read_to_string(self.path("src/report.py")).unwrap()
    }

    /// The plan files, sorted by name.
    pub(crate) fn plans(&self) -> Vec<PathBuf> {
        let Ok(found) = std::fs::read_dir(self.path("plans")) else {
            return Vec::new();
        };
        let mut found: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
        found.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
        found.sort();
        found
    }

    /// The approvals of all plans: revision, run and policy of each.
    pub(crate) fn approvals(&self) -> Vec<(String, Option<String>, String)> {
        let root = self.path("").display().to_string();
        let revisions = self.bench.store.revisions();
        let plans = revisions.plans_below(root.trim_end_matches('/')).unwrap();
        let of_plan = |plan: String| self.bench.store.approvals().of_plan(&plan).unwrap();
        let rows = plans.into_iter().flat_map(of_plan);
        rows.map(|row| (row.revision, row.run, row.policy))
            .collect()
    }

    pub(crate) fn runs(&self) -> usize {
        self.bench.store.runs().list().unwrap().len()
    }

    /// Every file of the project outside `plans/`, `.git/` and `.planwright/`, with its content.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut found, mut folders) = (BTreeMap::new(), vec![self.path("")]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                match path.is_dir() {
                    true if [".git", ".planwright", "plans"].contains(&name.as_str()) => {}
                    true => folders.push(path),
                    false => drop(found.insert(path.clone(), std::fs::read(path).unwrap())),
                }
            }
        }
        found
    }

    /// Runs `script` as an editor connected to an agent; returns once the agent has stopped.
    pub(crate) fn talk<T>(&self, person: Person, script: impl AsyncFnOnce(&Editor) -> T) -> T {
        let (ours, theirs) = UnixStream::pair().unwrap();
        for stream in [&ours, &theirs] {
            stream.set_nonblocking(true).unwrap();
        }
        let bench = self.bench.again().unwrap();
        let serving = std::thread::spawn(move || {
            bridges::acp_agent::serve_on(&bench, || {
                tokio::net::UnixStream::from_std(theirs)
                    .unwrap()
                    .into_split()
            })
        });
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        let said = runtime.block_on(connect(ours, person, self.path(""), script));
        drop(runtime);
        serving.join().unwrap().unwrap();
        said
    }
}

async fn connect<T>(
    stream: UnixStream,
    mut person: Person,
    folder: PathBuf,
    script: impl AsyncFnOnce(&Editor) -> T,
) -> T {
    let (reader, writer) = tokio::net::UnixStream::from_std(stream)
        .unwrap()
        .into_split();
    let seen: Arc<Mutex<Seen>> = Arc::default();
    let (shown, asked) = (Arc::clone(&seen), Arc::clone(&seen));
    Client
        .v1()
        .on_receive_notification(
            async move |told: SessionNotification, _| {
                shown.lock().unwrap().updates.push(told.update);
                Ok(())
            },
            on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, connection| {
                asked.lock().unwrap().asked.push(request.clone());
                let outcome = match person(&request, &connection) {
                    Says::Option(id) => {
                        RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(id))
                    }
                    Says::Cancelled => RequestPermissionOutcome::Cancelled,
                    Says::Error => {
                        return responder.respond_with_error(ProtocolError::internal_error());
                    }
                };
                responder.respond(RequestPermissionResponse::new(outcome))
            },
            on_receive_request!(),
        )
        .connect_with(
            ByteStreams::new(writer.compat_write(), reader.compat()),
            async |connection| {
                let editor = Editor {
                    connection,
                    seen,
                    folder,
                };
                Ok(script(&editor).await)
            },
        )
        .await
        .unwrap()
}

//! A workspace with a data folder, and an agent connected to a server for it.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bridges::mcp::{OpenWindow, serve_on};
use serde_json::{Value, json};
use workbench::{Code, Environment, Error, Workbench};

pub(crate) const OLDEST: &str = "2024-11-05";
pub(crate) const NEWEST: &str = "2026-07-28";

pub(crate) const PLAN: &str = "\
# Add a CSV export

## Tasks
- [ ] **T1** Find where the rows are built
- [ ] **T2** Write the rows as CSV
  - depends: T1
  - files: `src/main.py`
  - verify: `python3 -m unittest`
";

/// A workspace, and the windows that the server opened on it.
pub(crate) struct Site {
    folder: tempfile::TempDir,
    opened: Arc<Mutex<Vec<String>>>,
    has_display: bool,
    pub(crate) bench: Workbench,
}

impl Site {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "data", "workspace"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let path = |name: &str| folder.path().join(name).into_os_string();
        let environment = Environment {
            variables: vec![
                ("HOME".to_owned(), path("home")),
                ("PLANWRIGHT_HOME".to_owned(), path("data")),
            ],
            cwd: folder.path().join("workspace"),
            program: PathBuf::from("/nonexistent"),
        };
        let (bench, _) = Workbench::open(environment).unwrap();
        Self {
            folder,
            opened: Arc::default(),
            has_display: true,
            bench,
        }
    }

    pub(crate) fn without_display(self) -> Self {
        Self {
            has_display: false,
            ..self
        }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        let root = self.folder.path().join("workspace").canonicalize().unwrap();
        root.join(path)
    }

    pub(crate) fn key(&self, path: &str) -> String {
        self.path(path).display().to_string()
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The file names of the plans that the server opened in a window.
    pub(crate) fn opened(&self) -> Vec<String> {
        self.opened.lock().unwrap().clone()
    }

    /// Approves a revision as the window does.
    pub(crate) fn approve(&self, path: &str, revision: &str) {
        assert_eq!(
            self.bench
                .approve_reviews(&self.key(path), revision)
                .unwrap(),
            1
        );
    }

    /// The number of approvals of all plans in the workspace.
    pub(crate) fn approvals(&self) -> usize {
        let below = self.path("").display().to_string();
        let plans = self
            .bench
            .store
            .revisions()
            .plans_below(below.trim_end_matches('/'))
            .unwrap();
        assert!(!plans.is_empty());
        let approvals = plans
            .iter()
            .map(|plan| self.bench.store.approvals().of_plan(plan).unwrap().len());
        approvals.sum()
    }

    /// Every file of the workspace with its content.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let (root, mut found) = (self.path(""), BTreeMap::new());
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().display().to_string();
                    found.insert(name, std::fs::read(path).unwrap());
                }
            }
        }
        found
    }

    /// Runs `talk` as an agent connected to a server for the workspace.
    pub(crate) fn serve(self, talk: impl FnOnce(&mut Agent, &Site)) {
        let folder = self.path("");
        self.serve_in(folder, talk);
    }

    /// Runs `talk` as an agent connected to a server for a folder.
    pub(crate) fn serve_in(self, folder: PathBuf, talk: impl FnOnce(&mut Agent, &Site)) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        theirs.set_nonblocking(true).unwrap();
        let (opened, has_display) = (Arc::clone(&self.opened), self.has_display);
        let open: OpenWindow = Arc::new(move |plan: &Path| {
            if !has_display {
                return Err(Error::new(Code::Failed, "there is no display"));
            }
            let name = plan.file_name().unwrap().to_string_lossy().into_owned();
            opened.lock().unwrap().push(name);
            Ok(())
        });
        let bench = self.bench.again().unwrap();
        let serving = std::thread::spawn(move || {
            serve_on(&bench, folder, open, move || {
                tokio::net::UnixStream::from_std(theirs)
                    .unwrap()
                    .into_split()
            })
        });
        let mut agent = Agent {
            reader: BufReader::new(ours.try_clone().unwrap()),
            writer: ours.try_clone().unwrap(),
            last: 0,
            version: OLDEST,
            capabilities: json!({}),
            early: BTreeMap::new(),
        };
        talk(&mut agent, &self);
        ours.shutdown(std::net::Shutdown::Both).unwrap();
        drop(agent);
        serving.join().unwrap().unwrap();
    }
}

/// The agent's side of the connection.
pub(crate) struct Agent {
    reader: BufReader<UnixStream>,
    writer: UnixStream,
    last: u64,
    /// The protocol version. From 2026-07-28 on, each request identifies the client.
    pub(crate) version: &'static str,
    /// The capabilities that it declares.
    pub(crate) capabilities: Value,
    /// Responses that arrived while waiting for another one.
    early: BTreeMap<u64, Value>,
}

impl Agent {
    pub(crate) fn write(&mut self, message: &Value) {
        writeln!(self.writer, "{message}").unwrap();
    }

    pub(crate) fn initialize(&mut self, version: &str) -> Value {
        let capabilities = self.capabilities.clone();
        let hello = self.request(
            "initialize",
            json!({
                "protocolVersion": version,
                "capabilities": capabilities,
                "clientInfo": { "name": "test-agent", "version": "1" },
            }),
        );
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        hello
    }

    /// Sends a request without waiting for the response; returns its ID.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        if self.version == NEWEST {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": NEWEST,
                "io.modelcontextprotocol/clientInfo": { "name": "test-agent", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            });
        }
        let id = self.last;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Sends tool calls from another thread, so that a slow server doesn't block the test; returns
    /// their IDs.
    pub(crate) fn send_many(&mut self, count: u64, name: &str, arguments: &Value) -> Vec<u64> {
        let ids: Vec<u64> = (self.last + 1..=self.last + count).collect();
        self.last += count;
        let params = json!({ "name": name, "arguments": arguments });
        let (sent, mut writer) = (ids.clone(), self.writer.try_clone().unwrap());
        std::thread::spawn(move || {
            for id in sent {
                let call =
                    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
                writeln!(writer, "{call}").unwrap();
            }
        });
        ids
    }

    /// Reads the next message.
    pub(crate) fn next(&mut self) -> Value {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Waits for the result of a request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        let found = self.early.remove(&id).unwrap_or_else(|| {
            loop {
                let message = self.next();
                match message["id"].as_u64() {
                    Some(of) if of == id => break message,
                    Some(of) => self.early.insert(of, message),
                    None => panic!("{message}"),
                };
            }
        });
        assert!(found.get("error").is_none(), "{found}");
        found["result"].clone()
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Calls a tool, expecting success.
    pub(crate) fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let result = self.request(
            "tools/call",
            json!({ "name": name, "arguments": arguments }),
        );
        assert_eq!(result["isError"], false, "{name}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(text).unwrap(),
            result["structuredContent"]
        );
        result["structuredContent"].clone()
    }

    /// Calls a tool, expecting an error; returns its message.
    pub(crate) fn refused(&mut self, name: &str, arguments: Value) -> String {
        let result = self.request(
            "tools/call",
            json!({ "name": name, "arguments": arguments }),
        );
        assert_eq!(result["isError"], true, "{name}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

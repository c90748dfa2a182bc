//! Runs `planwright` in a terminal as a person does: reads its output as it appears, and types
//! lines.
//!
//! The terminal is provided by the `script` program, which every Debian system has.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::output::exit_code;
use crate::{Home, PATIENCE, planwright_binary};

/// A running `planwright` in a terminal. Killed on drop.
#[derive(Debug)]
pub struct AtTerminal {
    child: Child,
    keyboard: ChildStdin,
    screen: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    /// The length of the output that earlier waits have consumed.
    read: usize,
}

impl AtTerminal {
    /// Starts the program with these arguments in this working folder.
    pub fn start<A: AsRef<OsStr>>(
        home: &Home,
        folder: impl AsRef<Path>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let program = planwright_binary().as_os_str().to_owned();
        let arguments = arguments.into_iter().map(|one| one.as_ref().to_owned());
        let quoted = std::iter::once(program).chain(arguments).map(|word| {
            let word = word.into_string().expect("arguments are text");
            format!("'{}'", word.replace('\'', "'\\''"))
        });
        let line: Vec<String> = quoted.collect();
        let mut command = Command::new("script");
        home.dress(&mut command);
        command
            // Uses `exec`, because a shell that kept running would receive Ctrl-C too and report
            // its own exit code.
            .args(["-qefc", &format!("exec {}", line.join(" ")), "/dev/null"])
            .current_dir(folder)
            .env("TERM", "xterm-256color")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("`script` starts");
        let keyboard = child.stdin.take().expect("standard input is piped");
        let mut output = child.stdout.take().expect("standard output is piped");
        let screen = Arc::new(Mutex::new(Vec::new()));
        let shown = Arc::clone(&screen);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let mut shown = shown.lock().expect("the lock is not poisoned");
                shown.extend(&bytes[..count]);
            }
        });
        Self {
            child,
            keyboard,
            screen,
            reader: Some(reader),
            read: 0,
        }
    }

    /// All output so far, including echo and escape sequences.
    pub fn screen(&self) -> String {
        let screen = self.screen.lock().expect("the lock is not poisoned");
        String::from_utf8_lossy(&screen).into_owned()
    }

    /// Waits until this text appears after the text of the previous wait.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let screen = self.screen();
            if let Some(at) = screen.get(self.read..).and_then(|rest| rest.find(text)) {
                self.read += at + text.len();
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("`{text}` was not shown in time:\n{}", self.screen());
    }

    /// Presses keys: `"1\n"`, or `"\u{4}"` for Ctrl-D.
    #[track_caller]
    pub fn press(&mut self, keys: &str) {
        let pressed = self.keyboard.write_all(keys.as_bytes());
        pressed
            .and_then(|()| self.keyboard.flush())
            .expect("the program still reads its input");
    }

    /// Waits until the program ends, asserts its exit code, and returns all output.
    #[track_caller]
    pub fn expect(mut self, status: i32) -> String {
        let deadline = Instant::now() + PATIENCE;
        let ended = loop {
            match self.child.try_wait().expect("its status can be read") {
                Some(ended) => break ended,
                None if Instant::now() > deadline => panic!("it did not end:\n{}", self.screen()),
                None => std::thread::sleep(std::time::Duration::from_millis(20)),
            }
        };
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the screen can be read");
        }
        assert_eq!(exit_code(ended), status, "{}", self.screen());
        self.screen()
    }
}

impl Drop for AtTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

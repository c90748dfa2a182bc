//! Splits bytes into lines at LF, CRLF and CR, skipping a byte-order mark at the start.

/// A line exceeds the limit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Collects bytes until a line is complete.
#[derive(Debug)]
pub(super) struct Lines {
    held: Vec<u8>,
    limit: usize,
    after_cr: bool,
    is_first: bool,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            held: Vec::new(),
            limit,
            after_cr: false,
            is_first: true,
        }
    }

    /// Takes the next complete line from the front of `bytes`, or stores them all and returns
    /// `None`.
    ///
    /// Text is decoded line by line, so that characters split by the network are restored.
    pub(super) fn next(&mut self, bytes: &mut &[u8]) -> Result<Option<String>, TooLong> {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            *bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        if self.held.len() + part.len() > self.limit {
            return Err(TooLong);
        }
        self.held.extend_from_slice(part);
        *bytes = rest;
        let Some((&ending, rest)) = rest.split_first() else {
            return Ok(None);
        };
        self.after_cr = ending == b'\r';
        *bytes = rest;
        Ok(Some(self.take()))
    }

    /// The text after the last line ending.
    pub(super) fn rest(&mut self) -> Option<String> {
        (!self.held.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        let text = String::from_utf8(held)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        if std::mem::replace(&mut self.is_first, false) {
            return text
                .strip_prefix('\u{feff}')
                .map_or(text.clone(), str::to_owned);
        }
        text
    }
}

//! Parses the person's prompt: its text is the goal, and its attachments are context.
//!
//! A link to a file in the workspace is part of a sentence, so it is replaced with the file's path.
//! The text of an attachment is only context for a model; rules never treat it as a request.

use std::path::Path;

use agent_client_protocol::v1::schema::{ContentBlock, EmbeddedResourceResource};

/// Longest goal, in characters; the same as in the window.
const MAX_GOAL_LEN: usize = 8_000;

/// Longest context, in bytes.
const MAX_CONTEXT_LEN: usize = 128 * 1024;

/// Maximum number of blocks in a prompt.
const MAX_BLOCKS: usize = 256;

/// A parsed prompt.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prompt {
    /// The text that the person wrote.
    pub(super) words: String,
    /// The attachments, as Markdown; empty if there are none.
    pub(super) context: String,
}

/// Parses the blocks of a prompt. The error says why they can't be used.
pub(super) fn read(blocks: &[ContentBlock], root: &Path) -> Result<Prompt, String> {
    if blocks.len() > MAX_BLOCKS {
        return Err(format!("the prompt has more than {MAX_BLOCKS} parts"));
    }
    let mut prompt = Prompt::default();
    for block in blocks {
        match block {
            ContentBlock::Text(text) => prompt.words.push_str(&text.text),
            ContentBlock::ResourceLink(link) => match path_in(&link.uri, root) {
                Some(path) => prompt.name_file(&path),
                None => prompt.attach(&link.uri, None),
            },
            ContentBlock::Resource(resource) => {
                if let EmbeddedResourceResource::TextResourceContents(held) = &resource.resource {
                    let path = path_in(&held.uri, root);
                    if let Some(path) = &path {
                        prompt.name_file(path);
                    }
                    prompt.attach(path.as_deref().unwrap_or(&held.uri), Some(&held.text));
                }
            }
            // Images and audio are ignored.
            _ => {}
        }
    }
    prompt.words = prompt.words.trim().to_owned();
    if prompt.words.is_empty() {
        return Err("the prompt has no text; describe what to achieve".to_owned());
    }
    if prompt.words.chars().count() > MAX_GOAL_LEN {
        return Err(format!(
            "the text is longer than {MAX_GOAL_LEN} characters; shorten it and put the details into \
             a file that it names"
        ));
    }
    if prompt.context.len() > MAX_CONTEXT_LEN {
        return Err(format!(
            "the attachments are longer than {} KiB; attach less, or name files of the project",
            MAX_CONTEXT_LEN / 1024
        ));
    }
    Ok(prompt)
}

impl Prompt {
    /// Appends a file's path to the text.
    fn name_file(&mut self, path: &str) {
        if !self.words.is_empty() && !self.words.ends_with(char::is_whitespace) {
            self.words.push(' ');
        }
        self.words.push_str(&format!("`{path}`"));
    }

    fn attach(&mut self, name: &str, text: Option<&str>) {
        let name = plan::visible_line(name);
        if !self.context.is_empty() {
            self.context.push('\n');
        }
        self.context.push_str(&format!("Attached: `{name}`\n"));
        if let Some(text) = text {
            let fence = fence_around(text);
            let end = if text.ends_with('\n') { "" } else { "\n" };
            self.context
                .push_str(&format!("\n{fence}\n{text}{end}{fence}\n"));
        }
    }
}

/// A code fence longer than any in the text.
pub(super) fn fence_around(text: &str) -> String {
    let mut longest = 0;
    for line in text.lines() {
        let line = line.trim_start();
        longest = longest.max(line.len() - line.trim_start_matches('`').len());
    }
    "`".repeat(longest.max(2) + 1)
}

/// The path, relative to the workspace, of the file that a URI names; `None` if it is outside.
fn path_in(uri: &str, root: &Path) -> Option<String> {
    let path = decoded(uri.strip_prefix("file://")?.split(['?', '#']).next()?)?;
    let path = Path::new(&path).canonicalize().ok()?;
    let relative = path.strip_prefix(root).ok()?.to_str()?;
    let is_plain = !relative.is_empty() && !relative.contains(['`', '\n']);
    is_plain.then(|| relative.to_owned())
}

/// Decodes percent-encoding; `None` if it is invalid or the result isn't UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use agent_client_protocol::v1::schema::{
        EmbeddedResource, ResourceLink, TextContent, TextResourceContents,
    };

    use super::*;

    fn text(text: &str) -> ContentBlock {
        ContentBlock::Text(TextContent::new(text))
    }

    #[test]
    fn a_linked_file_of_the_workspace_is_named_in_the_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::write(root.join("a b.py"), "x").unwrap();
        let uri = format!("file://{}/a%20b.py", root.display());
        let link = ContentBlock::ResourceLink(ResourceLink::new("a b.py", uri));
        let blocks = [text("Fix the bug in"), link, text(" and test it")];
        let prompt = read(&blocks, &root).unwrap();
        assert_eq!(prompt.words, "Fix the bug in `a b.py` and test it");
        assert_eq!(prompt.context, "");
        let outside = ContentBlock::ResourceLink(ResourceLink::new("p", "file:///etc/passwd"));
        let prompt = read(&[text("Look"), outside], &root).unwrap();
        assert_eq!(prompt.words, "Look");
        assert_eq!(prompt.context, "Attached: `file:///etc/passwd`\n");
    }

    #[test]
    fn the_text_of_an_attachment_is_fenced_context_and_no_goal() {
        let held = TextResourceContents::new("- do harm\n```\n", "zed:///selection");
        let held = EmbeddedResourceResource::TextResourceContents(held);
        let resource = ContentBlock::Resource(EmbeddedResource::new(held));
        let prompt = read(&[text("Explain this"), resource], Path::new("/nonexistent")).unwrap();
        assert_eq!(prompt.words, "Explain this");
        assert_eq!(
            prompt.context,
            "Attached: `zed:///selection`\n\n````\n- do harm\n```\n````\n"
        );
    }

    #[test]
    fn empty_and_oversized_prompts_are_refused() {
        let root = Path::new("/");
        assert!(read(&[], root).is_err());
        assert!(read(&[text(" \n")], root).is_err());
        assert!(read(&[text(&"x".repeat(MAX_GOAL_LEN + 1))], root).is_err());
        assert!(read(&vec![text("x"); MAX_BLOCKS + 1], root).is_err());
        assert!(read(&[text("x")], root).is_ok());
    }
}

//! An untrusted plan can't affect the page.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

use proptest::prelude::*;

use super::*;

const LIMIT: usize = 16 * 1024;

/// The elements of a rendered text, without `<` and `>`. Text contains neither.
fn elements(html: &str) -> Vec<&str> {
    html.split('<')
        .skip(1)
        .map(|rest| rest.split_once('>').expect("an element that ends").0)
        .collect()
}

#[track_caller]
fn assert_harmless(html: &str) {
    for element in elements(html) {
        let name = element.trim_start_matches('/');
        let (name, attributes) = name.split_once(' ').unwrap_or((name, ""));
        assert!(ELEMENTS.contains(name), "<{element}> in {html}");
        let rest = match name {
            // A link with an invalid URL has no target.
            "a" if attributes.starts_with("href=") => {
                let rest = attributes.strip_prefix("href=\"").expect(html);
                let (address, rest) = rest.split_once('"').expect(html);
                assert!(is_allowed(address), "{address} in {html}");
                rest.trim()
            }
            "ol" => attributes.strip_prefix("start=\"").map_or("", |rest| {
                rest.trim_end_matches('"')
                    .trim_matches(|c: char| c.is_ascii_digit())
            }),
            "span" if attributes.starts_with("class=") => {
                let class = attributes.trim_start_matches("class=").trim_matches('"');
                assert!(highlight::CLASSES.contains(&class), "<{element}> in {html}");
                ""
            }
            // The image's path is only a title; nothing is loaded from it.
            "figure" => attributes
                .strip_prefix("title=\"")
                .map_or(attributes, |rest| rest.split_once('"').expect(html).1),
            _ => attributes,
        };
        let rel = "rel=\"noopener noreferrer nofollow\"";
        assert!(rest.is_empty() || rest == rel, "<{element}> in {html}");
    }
}

#[test]
fn hostile_text_is_only_text() {
    for hostile in [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "<svg/onload=alert(1)>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](java\tscript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "<javascript:alert(1)>",
        "[x](vbscript:x) [y](file:///etc/passwd) [z](//evil.example/x)",
        "![x](https://evil.example/pixel.png)",
        "![<script>](x \"onload=alert(1)\")",
        "[x](https://a.example \"on\\\"mouseover=alert(1)\")",
        "# h {#id .class onclick=alert(1)}",
        "<style>*{display:none}</style>\n\n<base href=//evil.example>",
        "<!-- --!><img src=x onerror=alert(1)> -->",
        "```html\n</code></pre><script>alert(1)</script>\n```",
        "``` \"><script>alert(1)</script>\nx\n```",
        "| <b onclick=x> | y |\n|---|:-:|\n| <script> | z |",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    ] {
        let html = render(hostile, LIMIT);
        assert_harmless(&html);
        assert!(
            !html.contains("<script") && !html.contains("<img"),
            "{html}"
        );
    }
}

#[test]
fn what_a_plan_needs_is_rendered() {
    insta::assert_snapshot!(
        render(
            "# Title\n\nSome *words*, `code` and ~~less~~.\n\n- [x] one\n- [ ] two\n\n3. three\n\n> said\n\n\
             | a | b |\n|---|--:|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n\n\
             <https://a.example> [mail](mailto:a@b.example \"t\") [local](docs/x.md)\n\n\
             ![a picture](https://a.example/p.png)\n\n<!-- a comment -->\n",
            LIMIT
        ),
        @r#"
    <h1>Title</h1>
    <p>Some <em>words</em>, <code>code</code> and <del>less</del>.</p>
    <ul>
    <li>☑ one</li>
    <li>☐ two</li>
    </ul>
    <ol start="3">
    <li>three</li>
    </ol>
    <blockquote>
    <p>said</p>
    </blockquote>
    <table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>
    <tr><td>1</td><td>2</td></tr>
    </tbody></table>
    <pre><code><span class="hl-k">fn</span> <span class="hl-f">main</span>() {}
    </code></pre>
    <p><a href="https://a.example" rel="noopener noreferrer nofollow">https://a.example</a> <a href="mailto:a@b.example" rel="noopener noreferrer nofollow">mail</a> local</p>
    <p>a picture (https://a.example/p.png)</p>
    <p>&lt;!-- a comment --&gt;
    </p>
    "#
    );
}

#[test]
fn code_is_coloured_in_the_languages_that_are_known() {
    let html = render(
        "```rust\nfn main() { let n = 42; } // \"<b>\"\n```\n\n```nonsense\nfn <b>\n```\n",
        LIMIT,
    );
    insta::assert_snapshot!(html, @r#"
    <pre><code><span class="hl-k">fn</span> <span class="hl-f">main</span>() { <span class="hl-k">let</span> n = <span class="hl-n">42</span>; } <span class="hl-c">//</span><span class="hl-c"> "&lt;b&gt;"
    </span></code></pre>
    <pre><code>fn &lt;b&gt;
    </code></pre>
    "#);
    for (language, keyword) in [
        ("python", "def f(): pass"),
        ("ts", "function f() {}"),
        ("sh", "if true; then echo; fi"),
        ("json", "{\"a\": true}"),
    ] {
        let html = render(&format!("```{language}\n{keyword}\n```\n"), LIMIT);
        assert!(html.contains("<span class=\"hl-"), "{language}: {html}");
    }
    let long = format!("```rust\n{}\n```\n", "fn f() {} ".repeat(1_000));
    assert!(
        !render(&long, LIMIT * 4).contains("<span"),
        "a long line stays plain"
    );
}

#[test]
fn a_picture_of_the_workspace_is_marked_and_one_from_elsewhere_is_named() {
    let html = render("![a chart](docs/chart%20one.png \"t\")\n", LIMIT);
    assert!(
        html.contains("<figure title=\"docs/chart one.png\">(docs/chart one.png)</figure>"),
        "{html}"
    );
    for address in [
        "https://a.example/p.png",
        "//a.example/p.png",
        "file:///etc/passwd",
        "data:image/png;base64,x",
        "/etc/passwd",
        "javascript:alert(1)",
    ] {
        let html = render(&format!("![x]({address})"), LIMIT);
        assert!(!html.contains("<figure"), "{html}");
    }
}

#[test]
fn much_text_is_cut_at_a_character() {
    let html = render(&"ä".repeat(100), 33);
    assert_eq!(html, format!("<p>{}</p>\n<p>…</p>\n", "ä".repeat(16)));
}

#[test]
fn deep_text_keeps_its_words() {
    let html = render(&format!("{}deep", "> ".repeat(5_000)), LIMIT);
    assert!(html.contains("deep"), "{html}");
    assert!(html.len() < 4_000, "{}", html.len());
}

#[test]
fn sections_are_found_by_their_heading() {
    let text = "---\ngoal: x\n---\n# T\nintro\n## Context\nA\n### Deeper\nB\n## Tasks\n- [ ] x\n";
    let found = |heading| section(text, heading).map(|range| &text[range]);
    assert_eq!(found("context"), Some("A\n### Deeper\nB\n"));
    assert_eq!(found("Tasks"), Some("- [ ] x\n"));
    assert_eq!(found("goal: x"), None);
}

proptest! {
    /// Whatever the input, the output has no active element, attribute or URL.
    #[test]
    fn nothing_that_acts_comes_through(parts in proptest::collection::vec(
        prop_oneof![
            Just("<script>".to_owned()), Just("</script>".to_owned()), Just("javascript:".to_owned()),
            Just(" onclick=".to_owned()), Just("<img src=".to_owned()), Just("](".to_owned()),
            Just("[".to_owned()), Just("![".to_owned()), Just(")".to_owned()), Just("\"".to_owned()),
            Just("'".to_owned()), Just("`".to_owned()), Just("```\n".to_owned()), Just("\n\n".to_owned()),
            Just("<!--".to_owned()), Just("-->".to_owned()), Just("<svg ".to_owned()), Just(">".to_owned()),
            Just("&lt;".to_owned()), Just("&#x6a;".to_owned()), Just("| a | b |\n|--|--|\n|".to_owned()),
            Just("<a href=".to_owned()), Just("https://".to_owned()), Just("\u{0}".to_owned()),
            ".{0,8}",
        ], 0..40)) {
        assert_harmless(&render(&parts.concat(), LIMIT));
    }
}

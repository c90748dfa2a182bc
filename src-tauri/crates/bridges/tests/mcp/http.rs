//! Tests which raw requests the MCP server accepts over HTTP, and which it rejects.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use bridges::mcp::HttpServer;
use proptest::prelude::*;
use serde_json::{Value, json};
use workbench::{CancelToken, Code};

use crate::support::{NEWEST, OLDEST, PLAN, Site};

const TOKEN: &str = "a-token-of-the-user-0123";

/// Runs `talk` with a server for a site, then stops the server.
fn served(site: Site, talk: impl FnOnce(&Client, &Site)) {
    let server = HttpServer::bind(0, Some(TOKEN.to_owned())).unwrap();
    let client = Client::of(&server);
    let (bench, folder) = (site.bench.again().unwrap(), site.path(""));
    let cancel = CancelToken::new().unwrap();
    let serving = {
        let cancel = cancel.clone();
        std::thread::spawn(move || server.serve(&bench, folder, Arc::new(|_| Ok(())), &cancel))
    };
    talk(&client, &site);
    cancel.cancel();
    serving.join().unwrap().unwrap();
}

struct Client {
    port: u16,
}

/// A response: status, headers in lower case, body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<String> {
        let start = format!("{name}: ");
        let line = self.head.lines().find(|line| line.starts_with(&start))?;
        Some(line[start.len()..].to_owned())
    }

    /// The body's JSON; the body may be a stream of events.
    fn json(&self) -> Value {
        let event = self.body.lines().rev().find_map(|line| {
            let data = line.strip_prefix("data:")?.trim();
            serde_json::from_str(data).ok()
        });
        event.unwrap_or_else(|| serde_json::from_str(&self.body).expect(&self.body))
    }
}

impl Client {
    fn of(server: &HttpServer) -> Self {
        let address = server.url();
        let address = address.strip_prefix("http://127.0.0.1:").unwrap();
        let port = address.strip_suffix("/mcp").unwrap().parse().unwrap();
        Self { port }
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.host());
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let (head, body) = (head.to_ascii_lowercase(), body.to_owned());
        Answer { status, head, body }
    }

    /// Posts a message with the token and the headers that the protocol requires.
    fn post(&self, more: &[(&str, &str)], message: &Value) -> Answer {
        let bearer = format!("Bearer {TOKEN}");
        let mut headers = vec![
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        headers.extend(more);
        self.send("POST", "/mcp", &headers, &message.to_string())
    }

    /// Starts a session; returns its ID.
    fn initialize(&self, version: &str) -> String {
        let hello = self.post(&[], &hello(version));
        assert_eq!(hello.status, 200, "{}", hello.body);
        assert_eq!(hello.json()["result"]["protocolVersion"], version);
        let session = hello.header("mcp-session-id").unwrap();
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let answer = self.post(&[("Mcp-Session-Id", &session)], &initialized);
        assert_eq!(answer.status, 202, "{}", answer.body);
        session
    }

    fn tool(&self, session: &str, name: &str, arguments: &Value) -> Value {
        let answer = self.post(&[("Mcp-Session-Id", session)], &call(name, arguments));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["result"]["structuredContent"].clone()
    }
}

fn hello(version: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": "test-agent", "version": "1" },
    }})
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": name, "arguments": arguments}})
}

#[test]
fn agents_of_every_protocol_version_are_served() {
    served(Site::new(), |client, site| {
        for version in [OLDEST, "2025-03-26", "2025-06-18", "2025-11-25"] {
            let session = client.initialize(version);
            assert_eq!(
                client.tool(&session, "list_plans", &json!({}))["plans"],
                json!([])
            );
        }
        let session = client.initialize(OLDEST);
        let proposed = client.tool(&session, "propose_plan", &json!({ "text": PLAN }));
        assert_eq!(site.read(proposed["path"].as_str().unwrap()), PLAN);

        let mut newest = call("list_plans", &json!({}));
        newest["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": NEWEST,
            "io.modelcontextprotocol/clientInfo": { "name": "test-agent", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let headers = [
            ("Mcp-Protocol-Version", NEWEST),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "list_plans"),
        ];
        let answer = client.post(&headers, &newest);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let plans = &answer.json()["result"]["structuredContent"]["plans"];
        assert_eq!(plans.as_array().unwrap().len(), 1);
    });
}

#[test]
fn a_page_another_host_and_a_wrong_token_are_refused() {
    served(Site::new(), |client, _| {
        let hello = hello(OLDEST);
        let json = ("Content-Type", "application/json");
        let accept = ("Accept", "application/json, text/event-stream");
        let without = client.send("POST", "/mcp", &[json, accept], &hello.to_string());
        assert_eq!(without.status, 401);
        assert_eq!(without.header("www-authenticate").unwrap(), "bearer");
        assert!(without.body.contains("Authorization: Bearer TOKEN"));
        for origin in ["http://evil.example", "http://127.0.0.1", "null"] {
            assert_eq!(
                client.post(&[("Origin", origin)], &hello).status,
                403,
                "{origin}"
            );
        }
        for host in ["evil.example", "evil.example:80", "169.254.0.1"] {
            assert_eq!(client.post(&[("Host", host)], &hello).status, 403, "{host}");
        }
        let bearer = format!("Bearer {TOKEN}");
        let elsewhere = client.send("POST", "/", &[("Authorization", &bearer)], "{}");
        assert_eq!(elsewhere.status, 404);
    });
}

#[test]
fn nothing_but_the_token_lets_a_request_through() {
    served(Site::new(), |client, site| {
        let wrong = prop_oneof![
            Just(String::new()),
            Just(TOKEN.to_owned()),
            Just(format!("Basic {TOKEN}")),
            Just(format!("Bearer {}", &TOKEN[1..])),
            Just(format!("Bearer {TOKEN}{TOKEN}")),
            Just(format!("Bearer {}", TOKEN.to_uppercase())),
            "[!-~]{0,40}",
            "Bearer [!-~]{0,40}",
        ];
        let method = prop_oneof![Just("POST"), Just("GET"), Just("DELETE"), Just("PUT")];
        let path = prop_oneof![Just("/mcp"), Just("/"), Just("/mcp/../x"), Just("*")];
        let (session, before) = (client.initialize(OLDEST), site.files());
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let tried = runner.run(&(wrong, method, path), |(given, method, path)| {
            prop_assume!(given != format!("Bearer {TOKEN}"));
            let headers = [
                ("Authorization", given.as_str()),
                ("Mcp-Session-Id", session.as_str()),
                ("Content-Type", "application/json"),
                ("Accept", "application/json, text/event-stream"),
            ];
            let body = call("propose_plan", &json!({ "text": PLAN })).to_string();
            let status = client.send(method, path, &headers, &body).status;
            prop_assert!(status == 401 || status == 400, "{}: {}", given, status);
            Ok(())
        });
        tried.unwrap();
        assert_eq!(site.files(), before);
    });
}

#[test]
fn sessions_are_bounded_and_idle_connections_stop_nobody() {
    served(Site::new(), |client, _| {
        let idle: Vec<_> = (0..40)
            .map(|_| TcpStream::connect(("127.0.0.1", client.port)).unwrap())
            .collect();
        let sessions: Vec<String> = (0..128).map(|_| client.initialize(OLDEST)).collect();
        let refused = client.post(&[], &hello(OLDEST));
        assert_eq!(refused.status, 503);
        assert!(refused.body.contains("too many agents"), "{}", refused.body);
        assert_eq!(
            client.tool(&sessions[0], "list_plans", &json!({}))["plans"],
            json!([])
        );
        let bearer = format!("Bearer {TOKEN}");
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Mcp-Session-Id", sessions[0].as_str()),
        ];
        client.send("DELETE", "/mcp", &headers, "");
        client.initialize(OLDEST);
        drop(idle);
    });
}

#[test]
fn a_taken_port_and_a_weak_token_are_refused() {
    let first = HttpServer::bind(0, None).unwrap();
    assert!(first.token().len() >= 32);
    let port = Client::of(&first).port;
    let taken = HttpServer::bind(port, None).unwrap_err();
    assert_eq!(taken.code, Code::Failed);
    assert!(taken.message.contains("--http PORT"), "{}", taken.message);
    for weak in [
        "",
        "short",
        "with a space in the middle",
        "ünlautumlautumlaut",
    ] {
        let refused = HttpServer::bind(0, Some(weak.to_owned())).unwrap_err();
        assert_eq!(refused.code, Code::Usage, "{weak}");
    }
}

//! Where model servers may be listening on this machine: their usual ports, and those set in the
//! servers' own variables.
//!
//! Pure.

use model::servers::{Preset, ServerPort, default_ports};

/// The ports to try. `OLLAMA_HOST`, `LLAMA_ARG_PORT` and `VLLM_PORT` are read by the servers
/// themselves; an Ollama host on another machine is ignored.
pub(crate) fn ports(variable: impl Fn(&str) -> Option<String>) -> Vec<ServerPort> {
    let mut ports = default_ports();
    let told = [
        (
            Preset::Ollama,
            variable("OLLAMA_HOST").and_then(|host| local_port(&host)),
        ),
        (
            Preset::LlamaCpp,
            variable("LLAMA_ARG_PORT").and_then(|port| port.parse().ok()),
        ),
        (
            Preset::Vllm,
            variable("VLLM_PORT").and_then(|port| port.parse().ok()),
        ),
    ];
    for (preset, port) in told {
        let is_known = |known: &ServerPort| Some(known.port) == port;
        if let Some(port) = port.filter(|_| !ports.iter().any(is_known)) {
            let at = ports.iter().position(|known| known.preset == preset);
            ports.insert(at.unwrap_or(0), ServerPort { preset, port });
        }
    }
    ports
}

/// The port of `127.0.0.1:11500`, `http://localhost:11500/` or `:11500`; `None` if it is missing or
/// on another machine.
fn local_port(host: &str) -> Option<u16> {
    let place = host.split_once("://").map_or(host, |(_, rest)| rest);
    let place = place.split('/').next()?;
    let (name, port) = place.rsplit_once(':')?;
    let is_here = matches!(
        name,
        "" | "localhost" | "127.0.0.1" | "0.0.0.0" | "[::1]" | "[::]"
    );
    is_here.then(|| port.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_own_variables_name_more_ports() {
        let ports = |set: &[(&str, &str)]| -> Vec<u16> {
            let ports = ports(|name| {
                let found = set.iter().find(|(key, _)| *key == name)?;
                Some(found.1.to_owned())
            });
            ports.iter().map(|known| known.port).collect()
        };
        let usual = [11_434, 1_234, 8_080, 8_000];
        assert_eq!(ports(&[]), usual);
        assert_eq!(
            ports(&[("OLLAMA_HOST", "127.0.0.1:11500"), ("VLLM_PORT", "8001")]),
            [11_500, 11_434, 1_234, 8_080, 8_001, 8_000]
        );
        let nothing_new = [
            ("OLLAMA_HOST", "http://192.168.1.2:11500"),
            ("OLLAMA_HOST", "0.0.0.0"),
            ("OLLAMA_HOST", "localhost:11434"),
            ("LLAMA_ARG_PORT", "many"),
        ];
        for set in nothing_new {
            assert_eq!(ports(&[set]), usual, "{set:?}");
        }
    }
}

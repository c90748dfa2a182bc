//! Where model servers may be listening on this machine: their usual ports, and those set in the
//! servers' own variables.
//!
//! Pure.

use model::servers::{Door, Preset, usual_doors};

/// The ports to try. `OLLAMA_HOST`, `LLAMA_ARG_PORT` and `VLLM_PORT` are read by the servers
/// themselves; an Ollama host on another machine is ignored.
pub(crate) fn doors(variable: impl Fn(&str) -> Option<String>) -> Vec<Door> {
    let mut doors = usual_doors();
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
        let known = |door: &Door| Some(door.port) == port;
        if let Some(port) = port.filter(|_| !doors.iter().any(known)) {
            let at = doors.iter().position(|door| door.preset == preset);
            doors.insert(at.unwrap_or(0), Door { preset, port });
        }
    }
    doors
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
    fn the_servers_own_variables_name_more_doors() {
        let ports = |set: &[(&str, &str)]| -> Vec<u16> {
            let doors = doors(|name| {
                let found = set.iter().find(|(key, _)| *key == name)?;
                Some(found.1.to_owned())
            });
            doors.iter().map(|door| door.port).collect()
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

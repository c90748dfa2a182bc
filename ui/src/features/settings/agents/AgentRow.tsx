/** One agent: where it was found, how its changes reach the workspace, and a trial. */
import { Button, Loader } from "@mantine/core";
import { useCancelAgentTrial, useTryAgent } from "../../../api/agents";
import type { AgentTrial, AgentView } from "../../../api/bindings";
import { Chip } from "../../../components/Chip";
import { Code } from "../../../components/Code";
import { CommandLine } from "../../../components/ModelTrouble";
import { words } from "../../../words";
import styles from "./Agents.module.css";

const text = words.settings.agents;

interface AgentRowProps {
  agent: AgentView;
  workspace: string | null;
}

export function AgentRow({ agent, workspace }: AgentRowProps) {
  const isFound = agent.line !== null;
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p className="pw-wrap pw-gap-8">
          <span className="pw-bold">{agent.title}</span>
          {agent.name !== agent.title && <Code>{agent.name}</Code>}
          {!isFound && <Chip>{text.notFound}</Chip>}
          {agent.has_entry && <Chip tone="accent">{words.settings.origins.user}</Chip>}
        </p>
        {agent.line !== null && (
          <>
            <p className={styles.line}>
              <Code>{agent.line}</Code>
            </p>
            <p className="pw-hint">{text.tiers[agent.tier] ?? agent.tier}</p>
            <p className="pw-hint">{access(agent)}</p>
          </>
        )}
        {agent.line === null && agent.install !== null && !agent.has_entry && (
          <CommandLine line={agent.install} />
        )}
        {agent.problem && (agent.has_entry || agent.install === null) && (
          <p className={styles.bad}>{agent.problem}</p>
        )}
      </div>
      {isFound && <Trial agent={agent} workspace={workspace} />}
    </li>
  );
}

/** A button that tries the agent, and what the trial showed. */
function Trial({ agent, workspace }: AgentRowProps) {
  const trial = useTryAgent();
  const { mutate: cancel } = useCancelAgentTrial();
  return (
    <>
      {trial.isPending ? (
        <Button size="xs" variant="default" onClick={() => cancel()}>
          {text.cancel}
        </Button>
      ) : (
        <Button
          size="xs"
          variant="default"
          disabled={workspace === null}
          aria-label={text.tryLabel(agent.title)}
          title={workspace === null ? text.noWorkspace : undefined}
          onClick={() => workspace !== null && trial.mutate({ workspace, name: agent.name })}
        >
          {text.try}
        </Button>
      )}
      <div className={styles.result} role="status" aria-live="polite">
        {trial.isPending && (
          <p className="pw-row pw-hint pw-gap-8">
            <Loader size={14} /> {text.trying(agent.title)}
          </p>
        )}
        {trial.isSuccess && <p className={styles.good}>{seen(trial.data)}</p>}
        {trial.isError && <p className={styles.bad}>{trial.error.message}</p>}
      </div>
    </>
  );
}

function access(agent: AgentView): string {
  return [
    agent.network ? text.network : text.noNetwork,
    agent.env.length > 0 ? text.variables(agent.env) : text.noVariables,
  ].join(" ");
}

function seen(trial: AgentTrial): string {
  const seconds = (trial.ready_ms / 1_000).toFixed(1);
  return trial.modes.length > 0
    ? text.readyWithModes(seconds, trial.modes)
    : text.readyWithOptions(seconds, trial.options);
}

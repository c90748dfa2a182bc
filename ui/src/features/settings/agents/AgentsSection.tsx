/** Settings → Agents: other coding agents on this machine, a trial of each, and the hooks in their settings. */
import { Button } from "@mantine/core";
import { useAgents } from "../../../api/agents";
import { ErrorState, Loading } from "../../../components/States";
import { words } from "../../../words";
import { AgentRow } from "./AgentRow";
import styles from "./Agents.module.css";
import { HookRow } from "./HookRow";

const text = words.settings.agents;

export function AgentsSection({ workspace }: { workspace: string | null }) {
  const found = useAgents();
  const view = found.data;
  const isNoneFound = view?.agents.every((agent) => agent.line === null);
  return (
    <section className={styles.section} aria-labelledby="agents">
      <div className="pw-row pw-between pw-gap-8">
        <h2 id="agents" className={styles.heading}>
          {words.settings.sections.agents}
        </h2>
        <Button
          size="compact-xs"
          variant="subtle"
          loading={found.isFetching}
          onClick={() => void found.refetch()}
        >
          {text.refresh}
        </Button>
      </div>
      <p className="pw-hint">{text.about}</p>
      {found.isPending && <Loading lines={4} label={text.loading} />}
      {found.isError && (
        <ErrorState
          title={text.loadFailed}
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      )}
      {isNoneFound && <p className={styles.none}>{text.none}</p>}
      {view && (
        <>
          <ul className="pw-list" aria-label={words.settings.sections.agents}>
            {view.agents.map((agent) => (
              <AgentRow key={agent.name} agent={agent} workspace={workspace} />
            ))}
          </ul>
          <h3 className={styles.subheading}>{text.hooks}</h3>
          <p className="pw-hint">{text.hooksAbout}</p>
          <ul className="pw-list">
            {view.hooks.map((hook) => (
              <HookRow key={hook.title} hook={hook} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

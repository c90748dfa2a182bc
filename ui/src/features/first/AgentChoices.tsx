/** Below the goal box: have another agent on this machine write the plan. */
import { useAgents } from "../../api/agents";
import { LinkButton } from "../../components/LinkButton";
import { words } from "../../words";
import styles from "./GoalBox.module.css";

const text = words.first.goal;

interface AgentChoicesProps {
  isDisabled: boolean;
  /** Why nothing can be chosen. */
  reason: string | null;
  onChoose: (agent: string) => void;
}

export function AgentChoices({ isDisabled, reason, onChoose }: AgentChoicesProps) {
  const found = useAgents().data?.agents.filter((agent) => agent.line !== null) ?? [];
  if (found.length === 0) return null;
  return (
    <p className={styles.agents}>
      <span>{text.agents}</span>
      {found.map((agent) => (
        <LinkButton
          key={agent.name}
          aria-disabled={isDisabled}
          aria-label={text.agentLabel(agent.title)}
          title={reason ?? text.agentTooltip}
          onClick={() => onChoose(agent.name)}
        >
          {agent.title}
        </LinkButton>
      ))}
    </p>
  );
}

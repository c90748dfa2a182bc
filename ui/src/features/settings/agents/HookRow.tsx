/** The hook in another agent's settings that has its plans reviewed here. */
import type { HookView } from "../../../api/bindings";
import { Chip, type Tone } from "../../../components/Chip";
import { Code } from "../../../components/Code";
import { CommandLine } from "../../../components/ModelTrouble";
import { words } from "../../../words";
import styles from "./Agents.module.css";

const text = words.settings.agents;

export function HookRow({ hook }: { hook: HookView }) {
  const isWorking = hook.is_installed && hook.problems.length === 0;
  const [tone, state]: [Tone, string] = isWorking
    ? ["good", text.hookWorks]
    : hook.is_installed
      ? ["warn", text.hookProblem]
      : ["plain", text.hookMissing];
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p className="pw-wrap pw-gap-8">
          <span className="pw-bold">{hook.title}</span>
          <Chip tone={tone}>{state}</Chip>
        </p>
        <p className={styles.line}>
          <Code>{hook.file}</Code>
        </p>
        {hook.problems.map((problem) => (
          <p key={problem} className={styles.bad}>
            {problem}
          </p>
        ))}
        {!isWorking && <CommandLine line={hook.install} />}
      </div>
    </li>
  );
}

/** The commands that steps can be handed over to, as the user's settings name them; they are changed above, under `executors`, or in the file. */
import type { ExecutorView, SettingView } from "../../api/bindings";
import { Code } from "../../components/Code";
import { executorWords } from "./executors";
import styles from "./Rules.module.css";

type Named = Omit<ExecutorView, "line"> & { command: string[] };

export function Executors({ setting }: { setting: SettingView | undefined }) {
  const executors: Named[] = setting ? JSON.parse(setting.value) : [];
  if (executors.length === 0) {
    return (
      <p className={styles.none}>
        None. A command named under <Code>executors</Code>, such as another agent’s, can carry steps
        out in place of a model; it reads the step’s brief and works in the sandbox.
      </p>
    );
  }
  return (
    <ul className={styles.list}>
      {executors.map((one) => (
        <li key={one.name} className={styles.row}>
          <div className={styles.text}>
            <p>
              <b>{one.name}</b> <Code>{one.command.join(" ")}</Code>
            </p>
            <p className={styles.where}>
              In the sandbox, {executorWords(one)}. Chosen for a run under Approve → Effort.
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

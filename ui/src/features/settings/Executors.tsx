/** The executors in the user's settings: commands that can carry out steps instead of a model. They are edited in the `executors` setting or in the file. */
import type { ExecutorView, SettingView } from "../../api/bindings";
import { Code } from "../../components/Code";
import { words } from "../../words";
import { executorWords } from "./executors";
import styles from "./Rules.module.css";

type Executor = Omit<ExecutorView, "line"> & { command: string[] };

export function Executors({ setting }: { setting: SettingView | undefined }) {
  const executors: Executor[] = setting ? JSON.parse(setting.value) : [];
  if (executors.length === 0) {
    return <p className="pw-hint">{words.settings.executors.none}</p>;
  }
  return (
    <ul className="pw-list">
      {executors.map((executor) => (
        <li key={executor.name} className={styles.row}>
          <div className={styles.text}>
            <p>
              <b>{executor.name}</b> <Code>{executor.command.join(" ")}</Code>
            </p>
            <p className={styles.where}>
              {words.settings.executors.limits(executorWords(executor))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

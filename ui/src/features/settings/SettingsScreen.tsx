/** The Settings screen: models, other agents, the settings by group, executors, permission rules, the sandbox and the shortcuts. Only the user's file is written here. */
import { useSettings } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Code } from "../../components/Code";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { KeyList } from "../keys/KeyList";
import { AllSettings } from "./AllSettings";
import { AgentsSection } from "./agents/AgentsSection";
import { Executors } from "./Executors";
import { ModelsSection } from "./models/ModelsSection";
import { Rules } from "./Rules";
import { Sandbox } from "./Sandbox";
import styles from "./SettingsScreen.module.css";

const text = words.settings;

export default function SettingsScreen() {
  const { workspace } = usePlace();
  const settings = useSettings(workspace);
  if (settings.isError) {
    return (
      <ErrorState
        title={text.loadFailed}
        error={settings.error}
        onRetry={() => void settings.refetch()}
      />
    );
  }
  const view = settings.data;
  if (!view) return <Loading lines={8} label={text.loading} />;
  return (
    <div className={styles.screen}>
      <h1 className="pw-heading">{text.title}</h1>
      <p className={styles.lead}>
        {text.userFile} <Code>{view.user_file}</Code>.{" "}
        {view.workspace_file && (
          <>
            {text.workspaceFile} <Code>{view.workspace_file}</Code>.{" "}
          </>
        )}
        {text.fileChanges}
      </p>
      {view.problems.length > 0 && (
        <section className={styles.problems} aria-label={text.problems} role="status">
          {view.problems.map((problem) => (
            <p key={`${problem.file}:${problem.key}:${problem.message}`}>
              <Code>{problem.key}</Code> {text.problem(problem.file, problem.message)}
            </p>
          ))}
        </section>
      )}
      <ModelsSection />
      <AgentsSection workspace={workspace} />
      <AllSettings view={view} />
      <section className={styles.section} aria-labelledby="executors">
        <h2 id="executors" className={styles.heading}>
          {text.sections.executors}
        </h2>
        <Executors setting={view.settings.find(({ key }) => key === "executors")} />
      </section>
      <section className={styles.section} aria-labelledby="rules">
        <h2 id="rules" className={styles.heading}>
          {text.sections.rules}
        </h2>
        <Rules rules={view.rules} />
      </section>
      <section className={styles.section} aria-labelledby="sandbox">
        <h2 id="sandbox" className={styles.heading}>
          {text.sections.sandbox}
        </h2>
        <Sandbox sandbox={view.sandbox} />
      </section>
      <section className={styles.section} aria-labelledby="keys">
        <h2 id="keys" className={styles.heading}>
          {text.sections.keys}
        </h2>
        <KeyList />
      </section>
    </div>
  );
}

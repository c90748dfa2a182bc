/** Settings: models first; each setting with what it is for, its value and the file that says so; the rules made with “always here”; how commands are shut in. The window writes the user's file alone. */
import { useSettings } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Code } from "../../components/Code";
import { ErrorState, Loading } from "../../components/States";
import { KeyList } from "../keys/KeyList";
import { Executors } from "./Executors";
import { ModelsSection } from "./models/ModelsSection";
import { Rules } from "./Rules";
import { Sandbox } from "./Sandbox";
import { SettingRow } from "./SettingRow";
import styles from "./SettingsScreen.module.css";

/** The endpoint has a section of its own. */
const isShownHere = (setting: { key: string }) => setting.key !== "endpoint";

export default function SettingsScreen() {
  const { workspace } = usePlace();
  const settings = useSettings(workspace);
  if (settings.isError) {
    return (
      <ErrorState
        title="The settings cannot be read"
        error={settings.error}
        onRetry={() => void settings.refetch()}
      />
    );
  }
  const view = settings.data;
  if (!view) return <Loading lines={8} label="Loading settings" />;
  return (
    <div className={styles.screen}>
      <h1 className={styles.title}>Settings</h1>
      <p className={styles.lead}>
        Yours are in <Code>{view.user_file}</Code>
        {view.workspace_file && (
          <>
            ; this workspace may tighten them in <Code>{view.workspace_file}</Code>
          </>
        )}
        . A change in either file holds at once.
      </p>
      {view.problems.length > 0 && (
        <section className={styles.problems} aria-label="Problems in the settings" role="status">
          {view.problems.map((problem) => (
            <p key={`${problem.file}:${problem.key}:${problem.message}`}>
              <Code>{problem.key}</Code> in {problem.file}: {problem.message}
            </p>
          ))}
        </section>
      )}
      <ModelsSection />
      <section className={styles.section} aria-labelledby="all-settings">
        <h2 id="all-settings" className={styles.heading}>
          All settings
        </h2>
        <ul className={styles.list}>
          {view.settings.filter(isShownHere).map((setting) => (
            <SettingRow
              key={setting.key}
              setting={setting}
              problem={view.problems.find((problem) => problem.key === setting.key)?.message}
            />
          ))}
        </ul>
      </section>
      <section className={styles.section} aria-labelledby="executors">
        <h2 id="executors" className={styles.heading}>
          Handing steps over
        </h2>
        <Executors setting={view.settings.find(({ key }) => key === "executors")} />
      </section>
      <section className={styles.section} aria-labelledby="rules">
        <h2 id="rules" className={styles.heading}>
          Permission rules
        </h2>
        <Rules rules={view.rules} />
      </section>
      <section className={styles.section} aria-labelledby="sandbox">
        <h2 id="sandbox" className={styles.heading}>
          Sandbox
        </h2>
        <Sandbox sandbox={view.sandbox} />
      </section>
      <section className={styles.section} aria-labelledby="keys">
        <h2 id="keys" className={styles.heading}>
          Keys
        </h2>
        <KeyList />
      </section>
    </div>
  );
}

/** How commands are shut in on this machine, as proved by trying the escapes at start. */
import type { SandboxView } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import styles from "./Sandbox.module.css";

const names: Record<string, string> = {
  bubblewrap: "bubblewrap",
  landlock: "Landlock",
  none: "none",
};

export function Sandbox({ sandbox }: { sandbox: SandboxView }) {
  const held = sandbox.tried > 0 && sandbox.refused === sandbox.tried;
  const tone = sandbox.tier === "none" ? "risk" : held ? "good" : "bad";
  return (
    <div className={styles.sandbox}>
      <p className={styles.head}>
        <Chip tone={tone}>{names[sandbox.tier] ?? sandbox.tier}</Chip>
        {sandbox.tried > 0 && (
          <span>
            {sandbox.refused} of {sandbox.tried} escapes tried at start were refused
          </span>
        )}
      </p>
      <p>{sandbox.meaning}</p>
      {sandbox.unavailable.length > 0 && (
        <ul className={styles.why} aria-label="Why no better one is in force">
          {sandbox.unavailable.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The sandbox in use on this machine, and the results of the escape attempts made at startup. */
import type { SandboxView } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { words } from "../../words";
import styles from "./Sandbox.module.css";

const text = words.settings.sandbox;

export function Sandbox({ sandbox }: { sandbox: SandboxView }) {
  const isTight = sandbox.tried > 0 && sandbox.refused === sandbox.tried;
  const tone = sandbox.tier === "none" ? "risk" : isTight ? "good" : "bad";
  return (
    <div className="pw-column pw-gap-6 pw-break">
      <p className="pw-wrap pw-gap-8">
        <Chip tone={tone}>{text.tiers[sandbox.tier] ?? sandbox.tier}</Chip>
        {sandbox.tried > 0 && <span>{text.tested(sandbox.refused, sandbox.tried)}</span>}
      </p>
      <p>{sandbox.meaning}</p>
      {sandbox.unavailable.length > 0 && (
        <ul className={styles.why} aria-label={text.unavailable}>
          {sandbox.unavailable.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

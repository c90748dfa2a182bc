/** A turn that was interrupted or ended with an error: what happened, and the button that fixes it. */
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconPlugConnectedX } from "@tabler/icons-react";
import type { TalkView } from "../../api/bindings";
import { useSay } from "../../api/mutations";
import { Inline } from "../../components/Inline";
import { CommandLine } from "../../components/ModelTrouble";
import { words } from "../../words";
import { openModels } from "../settings/models/openModels";
import { isFixedInSettings, troubleHint, troubleTitle } from "./stateText";
import styles from "./Talk.module.css";

const w = words.talk.turn;

export function TurnEnd({ talk }: { talk: TalkView }) {
  const { mutate: say, isPending } = useSay();
  if (talk.state === "interrupted") {
    return (
      <section className={styles.card} data-tone="warn" aria-label={w.interrupted}>
        <h3 className={styles.cardHead}>
          <IconPlugConnectedX size={18} aria-hidden className={styles.sign} />
          <span>{w.interruptedTitle}</span>
        </h3>
        <p className={styles.small}>{w.interruptedHint}</p>
        <div className={styles.buttons}>
          <Button
            size="xs"
            loading={isPending}
            onClick={() => say({ session: talk.session, input: { input: "resume" } })}
          >
            {w.resume}
          </Button>
          <span className={styles.dim}>{w.orWrite}</span>
        </div>
      </section>
    );
  }
  const { trouble } = talk;
  if (!trouble || talk.state !== "idle") return null;
  const isInSettings = isFixedInSettings(trouble.kind);
  const retry = (
    <Button
      size="xs"
      variant={isInSettings ? "default" : "filled"}
      loading={isPending}
      onClick={() => say({ session: talk.session, input: { input: "retry" } })}
    >
      {trouble.kind === "unsaid" ? w.sendGoal : w.retry}
    </Button>
  );
  return (
    <section
      className={styles.card}
      data-tone="bad"
      data-trouble={trouble.kind}
      role="alert"
      aria-label={troubleTitle(trouble.kind)}
    >
      <h3 className={styles.cardHead}>
        <IconAlertTriangle size={18} aria-hidden className={styles.sign} />
        <span>{troubleTitle(trouble.kind)}</span>
      </h3>
      <p className={styles.small} dir="auto">
        <Inline>{sentence(trouble.message)}</Inline>
      </p>
      {trouble.line && <CommandLine line={trouble.line} />}
      <p className={styles.small}>{troubleHint(trouble.kind)}</p>
      <div className={styles.buttons}>
        {isInSettings && (
          <Button size="xs" onClick={openModels}>
            {w.openModels}
          </Button>
        )}
        {retry}
      </div>
    </section>
  );
}

/** A backend message as a sentence: it starts in lower case, because elsewhere it follows a colon. */
function sentence(message: string): string {
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.:!?…”]$/.test(begun) ? begun : `${begun}.`;
}

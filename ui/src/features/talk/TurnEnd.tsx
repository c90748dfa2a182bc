/** How a turn stands that did not come to its end: cut off by a crash, or stopped by trouble; each with what happened and the button that helps. */
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconPlugConnectedX } from "@tabler/icons-react";
import type { TalkView } from "../../api/bindings";
import { useSay } from "../../api/mutations";
import { Inline } from "../../components/Inline";
import { CommandLine } from "../../components/ModelTrouble";
import { openModels } from "../settings/models/openModels";
import styles from "./Talk.module.css";
import { isMendedInSettings, troubleTitle } from "./words";

export function TurnEnd({ talk }: { talk: TalkView }) {
  const { mutate: say, isPending } = useSay();
  if (talk.state === "interrupted") {
    return (
      <section className={styles.card} data-tone="warn" aria-label="Cut off">
        <h3 className={styles.cardHead}>
          <IconPlugConnectedX size={18} aria-hidden className={styles.sign} />
          <span>Cut off in the middle of a turn</span>
        </h3>
        <p className={styles.small}>
          Planwright ended while the model was at work. What was said and done is kept. To go on
          asks the model again; nothing that may have happened is done twice unasked.
        </p>
        <div className={styles.buttons}>
          <Button
            size="xs"
            loading={isPending}
            onClick={() => say({ session: talk.session, input: { input: "resume" } })}
          >
            Go on
          </Button>
          <span className={styles.dim}>or say something else below</span>
        </div>
      </section>
    );
  }
  const { trouble } = talk;
  if (!trouble || talk.state !== "idle") return null;
  const isInSettings = isMendedInSettings(trouble.kind);
  const retry = (
    <Button
      size="xs"
      variant={isInSettings ? "default" : "filled"}
      loading={isPending}
      onClick={() => say({ session: talk.session, input: { input: "retry" } })}
    >
      {trouble.kind === "unsaid" ? "Send it" : "Try again"}
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
      <p className={styles.small}>{besides(trouble.kind)}</p>
      <div className={styles.buttons}>
        {isInSettings && (
          <Button size="xs" onClick={openModels}>
            Open Settings → Models
          </Button>
        )}
        {retry}
      </div>
    </section>
  );
}

/** The backend's sentences begin in lower case, because they stand behind a colon elsewhere. */
function sentence(message: string): string {
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.:!?…”]$/.test(begun) ? begun : `${begun}.`;
}

function besides(kind: string): string {
  switch (kind) {
    case "unreachable":
      return "Nothing was changed. The plan can be read, edited, approved and run without a model.";
    case "broken_off":
      return "Half an answer counts neither as an answer nor as a plan; it was put aside.";
    case "unsaid":
      return "Planwright ended before the model heard of it.";
    case "unfinished":
      return "No plan was proposed. You can say what is missing below.";
    default:
      return "What was said is kept.";
  }
}

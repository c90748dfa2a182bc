/** Conversations of this folder whose plan is not written yet: begun, asked something, or cut off. Nothing that was begun is lost with the window. */
import { IconMessageDots } from "@tabler/icons-react";
import type { TalkSummary } from "../../api/bindings";
import { useTalks } from "../../api/talk";
import { openTalk } from "../../app/place";
import { when } from "../run/words";
import styles from "./OpenTalks.module.css";

const states: Record<string, string> = {
  working: "the model is at work",
  waiting: "waits for your answer",
  interrupted: "was cut off",
};

export function OpenTalks({ workspace }: { workspace: string | null }) {
  const talks = useTalks(workspace).data ?? [];
  if (talks.length === 0) return null;
  return (
    <section className={styles.talks} aria-labelledby="open-talks">
      <h2 id="open-talks" className={styles.heading}>
        BEGUN, WITHOUT A PLAN YET
      </h2>
      <ul className={styles.list}>
        {talks.map((talk) => (
          <li key={talk.session}>
            <Talk talk={talk} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Talk({ talk }: { talk: TalkSummary }) {
  return (
    <button type="button" className={styles.talk} onClick={() => openTalk(talk.session)}>
      <IconMessageDots size={16} aria-hidden className={styles.icon} />
      <span className={styles.goal}>
        <bdi>{talk.goal || "A conversation"}</bdi>
      </span>
      <span className={styles.state} data-waits={talk.state === "waiting" || undefined}>
        {states[talk.state] ?? when(talk.at_ms)}
      </span>
    </button>
  );
}

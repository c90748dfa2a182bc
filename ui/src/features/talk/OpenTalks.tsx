/** Conversations of this folder that have no plan yet, so that none is lost when the window closes. */
import { IconMessageDots } from "@tabler/icons-react";
import type { TalkSummary } from "../../api/bindings";
import { useTalks } from "../../api/talk";
import { openTalk } from "../../app/place";
import { when } from "../../lib/time";
import { words } from "../../words";
import styles from "./OpenTalks.module.css";

const { list: w, states } = words.talk;

export function OpenTalks({ workspace }: { workspace: string | null }) {
  const talks = useTalks(workspace).data ?? [];
  if (talks.length === 0) return null;
  return (
    <section className={styles.talks} aria-labelledby="open-talks">
      <h2 id="open-talks" className={styles.heading}>
        {w.heading}
      </h2>
      <ul className="pw-list">
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
      <IconMessageDots size={16} aria-hidden className="pw-dim pw-rigid" />
      <span className="pw-cut pw-fill">
        <bdi>{talk.goal || w.untitled}</bdi>
      </span>
      <span className={styles.state} data-waits={talk.state === "waiting" || undefined}>
        {states[talk.state] ?? when(talk.at_ms)}
      </span>
    </button>
  );
}

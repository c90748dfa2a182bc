/** The disc at the left of a row: what kind of task it is, or how far it is. Named for screen readers; the shape differs with the state, not the colour alone. */
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheck,
  IconCircle,
  IconCircleDashedCheck,
  IconFlag3,
  IconGitFork,
  IconHandStop,
  IconHourglass,
  IconListTree,
  IconPlayerPlayFilled,
  IconUser,
  IconX,
} from "@tabler/icons-react";
import type { Row } from "../../api/bindings";
import { isPersons, useIsPersons } from "../../api/who";
import styles from "./TaskRow.module.css";

interface Look {
  Icon: typeof IconCircle;
  tone: "plain" | "good" | "accent" | "bad" | "warn" | "dim";
  words: string;
}

const running: Record<string, Look> = {
  running: { Icon: IconPlayerPlayFilled, tone: "accent", words: "running" },
  done: { Icon: IconCheck, tone: "good", words: "done" },
  failed: { Icon: IconX, tone: "bad", words: "failed" },
  skipped: { Icon: IconArrowForwardUp, tone: "dim", words: "skipped" },
  waiting: { Icon: IconHourglass, tone: "warn", words: "waits for you" },
  interrupted: { Icon: IconAlertTriangle, tone: "warn", words: "interrupted" },
  unverified: { Icon: IconCircleDashedCheck, tone: "warn", words: "ended, not verified" },
  refused: { Icon: IconHandStop, tone: "bad", words: "refused" },
  undone: { Icon: IconArrowBackUp, tone: "dim", words: "undone" },
};

/** What of a row decides its sign. */
export type Signed = Pick<Row, "kind" | "by" | "done" | "skipped">;

export function lookOf(row: Signed, state: string | undefined): Look {
  const marked = state ? running[state] : undefined;
  if (marked && (state !== "waiting" || row.kind === "task" || row.kind === "group")) return marked;
  if (row.skipped !== null) return { Icon: IconArrowForwardUp, tone: "dim", words: "left out" };
  if (row.done) return { Icon: IconCheck, tone: "good", words: "done" };
  const tone = state === "waiting" ? "warn" : "plain";
  const waits = state === "waiting" ? ", waits for you" : "";
  if (row.kind === "decision") return { Icon: IconGitFork, tone, words: `decision${waits}` };
  if (row.kind === "checkpoint") return { Icon: IconFlag3, tone, words: `checkpoint${waits}` };
  if (row.kind === "group") return { Icon: IconListTree, tone: "plain", words: "group" };
  if (isPersons(row.by)) return { Icon: IconUser, tone, words: "yours, open" };
  return { Icon: IconCircle, tone: "plain", words: "open" };
}

export function StateIcon({ row, state }: { row: Row; state?: string }) {
  // Draws anew when a model was set up.
  useIsPersons(row.by);
  const { Icon, tone, words } = lookOf(row, state);
  return (
    <span className={styles.state} data-tone={tone} role="img" aria-label={words} title={words}>
      <Icon size={Icon === IconPlayerPlayFilled ? 12 : 14} stroke={1.75} aria-hidden />
    </span>
  );
}

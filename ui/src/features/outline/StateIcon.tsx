/** The icon to the left of a row: the kind of step, or its state. Labeled for screen readers; states differ by shape, not only by color. */
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
import { words } from "../../words";
import styles from "./TaskRow.module.css";

interface Look {
  Icon: typeof IconCircle;
  tone: "plain" | "good" | "accent" | "bad" | "warn" | "dim";
  words: string;
}

const t = words.outline.states;

/** Icons by the state of a step in a run. */
const runLooks: Record<string, Look> = {
  running: { Icon: IconPlayerPlayFilled, tone: "accent", words: t.running },
  done: { Icon: IconCheck, tone: "good", words: t.done },
  failed: { Icon: IconX, tone: "bad", words: t.failed },
  skipped: { Icon: IconArrowForwardUp, tone: "dim", words: t.skipped },
  waiting: { Icon: IconHourglass, tone: "warn", words: t.waiting },
  interrupted: { Icon: IconAlertTriangle, tone: "warn", words: t.interrupted },
  unverified: { Icon: IconCircleDashedCheck, tone: "warn", words: t.unverified },
  refused: { Icon: IconHandStop, tone: "bad", words: t.refused },
  undone: { Icon: IconArrowBackUp, tone: "dim", words: t.undone },
};

/** The part of a row that decides its icon. */
export type Signed = Pick<Row, "kind" | "by" | "done" | "skipped">;

export function lookOf(row: Signed, state: string | undefined): Look {
  const marked = state ? runLooks[state] : undefined;
  if (marked && (state !== "waiting" || row.kind === "task" || row.kind === "group")) return marked;
  if (row.skipped !== null) return { Icon: IconArrowForwardUp, tone: "dim", words: t.skipped };
  if (row.done) return { Icon: IconCheck, tone: "good", words: t.done };
  const isWaiting = state === "waiting";
  const tone = isWaiting ? "warn" : "plain";
  if (row.kind === "decision")
    return { Icon: IconGitFork, tone, words: isWaiting ? t.decisionWaiting : t.decision };
  if (row.kind === "checkpoint")
    return { Icon: IconFlag3, tone, words: isWaiting ? t.checkpointWaiting : t.checkpoint };
  if (row.kind === "group") return { Icon: IconListTree, tone: "plain", words: t.group };
  if (isPersons(row.by)) return { Icon: IconUser, tone, words: t.yours };
  return { Icon: IconCircle, tone: "plain", words: t.open };
}

export function StateIcon({ row, state }: { row: Row; state?: string }) {
  // Called only so that the icon renders again when a model is connected.
  useIsPersons(row.by);
  const { Icon, tone, words: label } = lookOf(row, state);
  return (
    <span className={styles.state} data-tone={tone} role="img" aria-label={label} title={label}>
      <Icon size={Icon === IconPlayerPlayFilled ? 12 : 14} stroke={1.75} aria-hidden />
    </span>
  );
}

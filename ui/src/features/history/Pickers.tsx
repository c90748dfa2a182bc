/** Selects the two revisions to compare: two lists with an arrow between them, and a button to swap them. */
import { NativeSelect } from "@mantine/core";
import { IconArrowRight, IconArrowsLeftRight } from "@tabler/icons-react";
import type { HistoryEntry } from "../../api/bindings";
import { IconButton } from "../../components/IconButton";
import { shortRevision } from "../../lib/revision";
import { words } from "../../words";
import { ago, entryTitle } from "./format";
import styles from "./History.module.css";
import type { Side, Version } from "./sides";
import { useNow } from "./useNow";

const text = words.history.pickers;

interface PickersProps {
  entries: HistoryEntry[];
  from: Version | null;
  to: Version | null;
  onPick: (from: Side | null, to: Side) => void;
  onSwap: () => void;
}

/** The value for no revision, or for one whose entry isn't loaded. */
const unlisted = "unlisted";

export function Pickers({ entries, from, to, onPick, onSwap }: PickersProps) {
  const time = useNow();
  const listed = [
    { value: "now", label: text.current },
    ...entries.map((entry) => ({
      value: String(entry.seq),
      label: `${entryTitle(entry)} · ${ago(entry.at_ms, time)}`,
    })),
  ];
  const fromData =
    from && from.side !== null
      ? listed
      : [{ value: unlisted, label: from ? shortRevision(from.revision) : text.nothing }, ...listed];
  const toSide = to?.side ?? "now";
  const fromSide = from?.side ?? null;
  return (
    <div className={styles.pickers}>
      <NativeSelect
        size="xs"
        className={styles.picker}
        aria-label={text.from}
        data={fromData}
        value={fromSide === null ? unlisted : String(fromSide)}
        onChange={(event) => onPick(sideOf(event.currentTarget.value), toSide)}
      />
      <IconArrowRight size={15} aria-label={text.arrow} className="pw-dim pw-rigid" />
      <NativeSelect
        size="xs"
        className={styles.picker}
        aria-label={text.to}
        data={listed}
        value={String(toSide)}
        onChange={(event) => onPick(fromSide, sideOf(event.currentTarget.value) ?? "now")}
      />
      <IconButton label={text.swap} keys="x" disabled={fromSide === null} onClick={onSwap}>
        <IconArrowsLeftRight size={16} />
      </IconButton>
    </div>
  );
}

function sideOf(value: string): Side | null {
  if (value === "now") return value;
  return value === unlisted ? null : Number(value);
}

/** Which version is compared with which: two lists with an arrow between them, and the way to turn them round. */
import { NativeSelect } from "@mantine/core";
import { IconArrowRight, IconArrowsLeftRight } from "@tabler/icons-react";
import type { HistoryEntry } from "../../api/bindings";
import { IconButton } from "../../components/IconButton";
import { shortRevision } from "../run/words";
import styles from "./History.module.css";
import type { Side, Version } from "./sides";
import { useNow } from "./useNow";
import { ago, entryTitle } from "./words";

interface PickersProps {
  entries: HistoryEntry[];
  from: Version | null;
  to: Version | null;
  onPick: (from: Side | null, to: Side) => void;
  onSwap: () => void;
}

/** What stands for a version whose entry is not loaded, or for none. */
const unlisted = "unlisted";

export function Pickers({ entries, from, to, onPick, onSwap }: PickersProps) {
  const time = useNow();
  const listed = [
    { value: "now", label: "Now" },
    ...entries.map((entry) => ({
      value: String(entry.seq),
      label: `${entryTitle(entry)} · ${ago(entry.at_ms, time)}`,
    })),
  ];
  const fromData =
    from && from.side !== null
      ? listed
      : [
          { value: unlisted, label: from ? shortRevision(from.revision) : "Nothing yet" },
          ...listed,
        ];
  const toSide = to?.side ?? "now";
  const fromSide = from?.side ?? null;
  return (
    <div className={styles.pickers}>
      <NativeSelect
        size="xs"
        className={styles.picker}
        aria-label="Compare from"
        data={fromData}
        value={fromSide === null ? unlisted : String(fromSide)}
        onChange={(event) => onPick(sideOf(event.currentTarget.value), toSide)}
      />
      <IconArrowRight size={15} aria-label="to" className={styles.arrow} />
      <NativeSelect
        size="xs"
        className={styles.picker}
        aria-label="Compare to"
        data={listed}
        value={String(toSide)}
        onChange={(event) => onPick(fromSide, sideOf(event.currentTarget.value) ?? "now")}
      />
      <IconButton
        label="Turn the comparison round"
        keys="x"
        disabled={fromSide === null}
        onClick={onSwap}
      >
        <IconArrowsLeftRight size={16} />
      </IconButton>
    </div>
  );
}

function sideOf(value: string): Side | null {
  if (value === "now") return value;
  return value === unlisted ? null : Number(value);
}

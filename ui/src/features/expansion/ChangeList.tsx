/** The changes of an expansion, each to be taken or left, with the lines it changes and the findings it answers. */
import { Checkbox } from "@mantine/core";
import type { ExpansionChange } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { Diff } from "../../components/Diff";
import { Inline } from "../../components/Inline";
import { LinkButton } from "../../components/LinkButton";
import { choose } from "./choice";
import styles from "./Expansion.module.css";

interface ChangeListProps {
  changes: ExpansionChange[];
  chosen: string[];
  onChoose: (chosen: string[]) => void;
}

export function ChangeList({ changes, chosen, onChoose }: ChangeListProps) {
  const isAll = chosen.length === changes.length;
  return (
    <section aria-label="Changes">
      <div className={styles.listHead}>
        <h3>
          {chosen.length} of {changes.length} chosen
        </h3>
        <LinkButton onClick={() => onChoose(isAll ? [] : changes.map(({ id }) => id))}>
          {isAll ? "Choose none" : "Choose all"}
        </LinkButton>
      </div>
      <ul className={styles.changes}>
        {changes.map((change) => (
          <Change
            key={change.id}
            change={change}
            isTaken={chosen.includes(change.id)}
            onTake={(isTaken) => onChoose(choose(chosen, change.id, isTaken, changes))}
          />
        ))}
      </ul>
    </section>
  );
}

interface ChangeProps {
  change: ExpansionChange;
  isTaken: boolean;
  onTake: (isTaken: boolean) => void;
}

function Change({ change, isTaken, onTake }: ChangeProps) {
  const { id, kind, title, why, message, diff, needs } = change;
  const isNew = kind === "added";
  return (
    <li className={styles.change} data-taken={isTaken || undefined}>
      <Checkbox
        size="xs"
        checked={isTaken}
        onChange={(event) => onTake(event.currentTarget.checked)}
        label={
          <span className={styles.changeTitle}>
            <Chip tone={isNew ? "good" : "accent"}>{isNew ? "new" : (change.task ?? id)}</Chip>
            <bdi>
              <Inline>{title}</Inline>
            </bdi>
          </span>
        }
      />
      <div className={styles.about}>
        <p dir="auto">
          <Inline>{message}</Inline>
        </p>
        {(why.length > 0 || needs.length > 0) && (
          <p className={styles.why}>
            {why.length > 0 && (
              <>
                answers <span className={styles.codes}>{why.join(" ")}</span>
              </>
            )}
            {why.length > 0 && needs.length > 0 && " · "}
            {needs.length > 0 && `needs ${needs.join(", ")}`}
          </p>
        )}
        {diff.length > 0 && (
          <details className={styles.lines}>
            <summary>
              {diff.filter((line) => line.kind === "added").length} added,{" "}
              {diff.filter((line) => line.kind === "removed").length} removed
              <span className="pw-sr"> lines of {title}</span>
            </summary>
            <div className={styles.frame}>
              <Diff lines={diff} label={`Lines of ${title}`} height={12} />
            </div>
          </details>
        )}
      </div>
    </li>
  );
}

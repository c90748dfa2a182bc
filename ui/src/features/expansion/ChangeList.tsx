/** The suggested changes of an expansion as checkboxes, each with its changed lines and the findings it resolves. */
import { Checkbox } from "@mantine/core";
import type { ExpansionChange } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { Diff } from "../../components/Diff";
import { Inline } from "../../components/Inline";
import { LinkButton } from "../../components/LinkButton";
import { words } from "../../words";
import { choose } from "./choice";
import styles from "./Expansion.module.css";

const text = words.expansion.changes;

interface ChangeListProps {
  changes: ExpansionChange[];
  chosen: string[];
  onChoose: (chosen: string[]) => void;
}

export function ChangeList({ changes, chosen, onChoose }: ChangeListProps) {
  const isAll = chosen.length === changes.length;
  return (
    <section aria-label={text.label}>
      <div className={styles.listHead}>
        <h3>{text.selected(chosen.length, changes.length)}</h3>
        <LinkButton onClick={() => onChoose(isAll ? [] : changes.map(({ id }) => id))}>
          {isAll ? text.selectNone : text.selectAll}
        </LinkButton>
      </div>
      <ul className="pw-list pw-column pw-gap-8">
        {changes.map((change) => (
          <Change
            key={change.id}
            change={change}
            isSelected={chosen.includes(change.id)}
            onSelect={(isSelected) => onChoose(choose(chosen, change.id, isSelected, changes))}
          />
        ))}
      </ul>
    </section>
  );
}

interface ChangeProps {
  change: ExpansionChange;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
}

function Change({ change, isSelected, onSelect }: ChangeProps) {
  const { id, kind, title, why, message, diff, needs } = change;
  const isNew = kind === "added";
  return (
    <li className={styles.change} data-taken={isSelected || undefined}>
      <Checkbox
        size="xs"
        checked={isSelected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
        label={
          <span className={styles.changeTitle}>
            <Chip tone={isNew ? "good" : "accent"}>{isNew ? text.new : (change.task ?? id)}</Chip>
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
          <p className="pw-dim">
            {why.length > 0 && (
              <>
                {text.resolves} <span className="pw-mono">{why.join(" ")}</span>
              </>
            )}
            {why.length > 0 && needs.length > 0 && " · "}
            {needs.length > 0 && text.needs(needs)}
          </p>
        )}
        {diff.length > 0 && (
          <details className={styles.lines}>
            <summary>
              {text.lineCount(
                diff.filter((line) => line.kind === "added").length,
                diff.filter((line) => line.kind === "removed").length,
              )}
              <span className="pw-sr"> {text.lineCountOf(title)}</span>
            </summary>
            <div className={styles.frame}>
              <Diff lines={diff} label={text.lines(title)} height={12} />
            </div>
          </details>
        )}
      </div>
    </li>
  );
}

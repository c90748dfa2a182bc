/** The plan's requirements as chips; covered ones have a check. A chip opens its editor. */
import { Button } from "@mantine/core";
import { IconCheck, IconCircleDashed, IconPlus } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { Outline, Requirement } from "../../api/bindings";
import { useDrafts } from "../../api/queries";
import { Chip } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import { later } from "../../components/later";
import { words } from "../../words";
import styles from "./PlanHead.module.css";

const RequirementEditor = later(
  async () => ({ default: (await import("./RequirementEditor")).RequirementEditor }),
  1,
);

const t = words.outline.requirements;
/** Used in place of an id for a requirement that is being added. */
const added = "+";

export function Requirements({ outline }: { outline: Outline }) {
  const [open, setOpen] = useState<string | null>(null);
  const { requirements, is_writable: isWritable } = outline;
  const drafts = useDrafts(outline.plan);
  const typed = drafts.data?.find((draft) => draft.key.startsWith("requirement/"))?.key.slice(12);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the drafts are loaded
  useEffect(() => {
    if (typed) setOpen(typed);
  }, [drafts.isSuccess]);

  const chosen = requirements.find((one) => one.id === open) ?? null;
  if (requirements.length === 0 && !isWritable) return null;
  return (
    <section
      className={styles.requirements}
      aria-label={t.label}
      data-some={requirements.length > 0 || undefined}
    >
      <ul className={styles.chips}>
        {requirements.map((one) => (
          <li key={one.id}>
            <RequirementChip
              requirement={one}
              isOpen={one.id === open}
              onOpen={isWritable ? () => setOpen(one.id === open ? null : one.id) : undefined}
            />
          </li>
        ))}
        {isWritable && (
          <li>
            <button
              type="button"
              className={styles.plus}
              aria-expanded={open === added}
              onClick={() => setOpen(open === added ? null : added)}
            >
              <IconPlus size={12} aria-hidden />
              {t.add}
            </button>
          </li>
        )}
      </ul>
      {(chosen || open === added) && (
        <div className={styles.box}>
          <RequirementEditor
            key={open}
            outline={outline}
            requirement={chosen}
            onClose={() => setOpen(null)}
          />
        </div>
      )}
      {open !== null && open !== added && !chosen && (
        <div className={styles.box} role="status">
          <p>{t.isGone(open)}</p>
          <Button size="xs" mt={6} variant="default" onClick={() => setOpen(null)}>
            {t.close}
          </Button>
        </div>
      )}
    </section>
  );
}

interface RequirementChipProps {
  requirement: Requirement;
  isOpen: boolean;
  /** Opens or closes the requirement's editor; absent when the plan is read-only. */
  onOpen?: () => void;
}

function RequirementChip({ requirement, isOpen, onOpen }: RequirementChipProps) {
  const { id, text, is_covered: isCovered, covered_by: by } = requirement;
  const state = isCovered ? t.coveredBy(by) : t.notCovered;
  const chip = (
    <Chip
      tone={isCovered ? "good" : "plain"}
      title={`${text}: ${state}`}
      icon={
        isCovered ? (
          <IconCheck size={12} stroke={2.25} aria-hidden />
        ) : (
          <IconCircleDashed size={12} aria-hidden />
        )
      }
    >
      {id}{" "}
      <bdi>
        <Inline>{text}</Inline>
      </bdi>
      <span className="pw-sr">, {state}</span>
    </Chip>
  );
  if (!onOpen) return chip;
  return (
    <button type="button" className={styles.chip} aria-expanded={isOpen} onClick={onOpen}>
      {chip}
    </button>
  );
}

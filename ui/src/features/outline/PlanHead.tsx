/** Title, introduction and requirements of the plan; read by default, typed in when opened. Undo and redo stand at its right, named after what they take back. */
import { IconArrowBackUp, IconArrowForwardUp, IconPencil } from "@tabler/icons-react";
import { memo, useEffect } from "react";
import type { Outline } from "../../api/bindings";
import { useDrafts } from "../../api/queries";
import { IconButton } from "../../components/IconButton";
import { later } from "../../components/later";
import { Rendered } from "../../components/Rendered";
import { MadeFrom } from "./MadeFrom";
import styles from "./PlanHead.module.css";
import { Requirements } from "./Requirements";

const HeadEditor = later(async () => ({ default: (await import("./HeadEditor")).HeadEditor }), 2);

interface PlanHeadProps {
  outline: Outline;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onUndo: () => void;
  onRedo: () => void;
}

/** Drawn again only when the plan changes: rows scroll below it. */
export const PlanHead = memo(function PlanHead(props: PlanHeadProps) {
  const { outline, isOpen, onOpen, onUndo, onRedo } = props;
  const drafts = useDrafts(outline.plan);
  const hasDraft = drafts.data?.some((draft) => draft.key.startsWith("plan/")) ?? false;
  // What was being typed comes back with its fields open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the drafts are known
  useEffect(() => {
    if (hasDraft) onOpen(true);
  }, [drafts.isSuccess]);

  return (
    <header className={styles.head}>
      <div className={styles.tools}>
        {outline.undo && (
          <IconButton label={`Undo: ${outline.undo}`} keys="mod+z" onClick={onUndo}>
            <IconArrowBackUp size={16} />
          </IconButton>
        )}
        {outline.redo && (
          <IconButton label={`Redo: ${outline.redo}`} keys="mod+shift+z" onClick={onRedo}>
            <IconArrowForwardUp size={16} />
          </IconButton>
        )}
        {outline.is_writable && (
          <IconButton
            label={isOpen ? "Close title and introduction" : "Edit title and introduction"}
            keys="shift+e"
            onClick={() => onOpen(!isOpen)}
          >
            <IconPencil size={15} />
          </IconButton>
        )}
      </div>
      {isOpen ? (
        <HeadEditor outline={outline} onClose={() => onOpen(false)} />
      ) : (
        <>
          <h1 className={styles.title} dir="auto" title={outline.title}>
            {outline.title || "Untitled plan"}
          </h1>
          <MadeFrom outline={outline} />
          {outline.intro_html && (
            <div className={styles.intro}>
              <Rendered html={outline.intro_html} dim />
            </div>
          )}
        </>
      )}
      <Requirements outline={outline} />
    </header>
  );
});

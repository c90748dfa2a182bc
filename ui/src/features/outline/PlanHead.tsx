/** The plan's title, introduction and requirements, with buttons to edit them and to open the file in an editor. Undo and redo, to the right, name the edit they act on. */
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconExternalLink,
  IconPencil,
} from "@tabler/icons-react";
import { memo, useEffect } from "react";
import type { Outline } from "../../api/bindings";
import { useDrafts } from "../../api/queries";
import { IconButton } from "../../components/IconButton";
import { later } from "../../components/later";
import { Rendered } from "../../components/Rendered";
import { words } from "../../words";
import { useOpenPlan } from "../share/useOpenPlan";
import styles from "./PlanHead.module.css";
import { PlanOrigin } from "./PlanOrigin";
import { Requirements } from "./Requirements";

const HeadEditor = later(async () => ({ default: (await import("./HeadEditor")).HeadEditor }), 2);

interface PlanHeadProps {
  outline: Outline;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onUndo: () => void;
  onRedo: () => void;
}

/** Memoized: scrolling the rows below must not render it again. */
export const PlanHead = memo(function PlanHead(props: PlanHeadProps) {
  const { outline, isOpen, onOpen, onUndo, onRedo } = props;
  const drafts = useDrafts(outline.plan);
  const hasDraft = drafts.data?.some((draft) => draft.key.startsWith("plan/")) ?? false;
  // If there is a draft, the editor opens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the drafts are loaded
  useEffect(() => {
    if (hasDraft) onOpen(true);
  }, [drafts.isSuccess]);

  const openPlan = useOpenPlan(outline);
  const t = words.outline.head;
  return (
    <header className={styles.head}>
      <div className={styles.tools}>
        {outline.undo && (
          <IconButton label={t.undo(outline.undo)} keys="mod+z" onClick={onUndo}>
            <IconArrowBackUp size={16} />
          </IconButton>
        )}
        {outline.redo && (
          <IconButton label={t.redo(outline.redo)} keys="mod+shift+z" onClick={onRedo}>
            <IconArrowForwardUp size={16} />
          </IconButton>
        )}
        {openPlan && (
          <IconButton label={words.share.openInEditor} keys="g e" onClick={openPlan.atStep}>
            <IconExternalLink size={15} />
          </IconButton>
        )}
        {outline.is_writable && (
          <IconButton
            label={isOpen ? t.close : t.open}
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
            {outline.title || t.untitled}
          </h1>
          <PlanOrigin outline={outline} />
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

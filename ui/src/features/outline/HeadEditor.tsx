/** Title, goal and introduction open for editing. The introduction is fetched whole: the outline carries only its beginning. */
import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Edit, Outline } from "../../api/bindings";
import { useSection } from "../../api/queries";
import { ErrorState, Loading } from "../../components/States";
import { TextField } from "../task/TextField";
import { useField } from "../task/useField";
import styles from "./PlanHead.module.css";

interface HeadEditorProps {
  outline: Outline;
  onClose: () => void;
}

function useHeadField(outline: Outline, key: string, value: string, toEdit: (t: string) => Edit) {
  return useField({
    plan: outline.plan,
    draftKey: `plan/${key}`,
    value,
    revision: outline.revision,
    toEdit,
  });
}

export function HeadEditor({ outline, onClose }: HeadEditorProps) {
  const titleRef = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => titleRef.current?.focus(), []);
  const title = useHeadField(outline, "title", outline.title, (text) => ({
    edit: "plan_title",
    text,
  }));
  const goal = useHeadField(outline, "goal", outline.goal ?? "", (text) => ({
    edit: "goal",
    text,
  }));

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };

  return (
    <div
      className={styles.editor}
      role="group"
      aria-label="Title, goal and introduction"
      onKeyDown={closeOnEscape}
    >
      <TextField label="Title" field={title} shape="line" inputRef={titleRef} />
      <TextField label="Goal" field={goal} shape="line" hint="what the plan is measured against" />
      <IntroField outline={outline} />
      <div className={styles.foot}>
        <Button size="xs" variant="default" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

function IntroField({ outline }: { outline: Outline }) {
  const section = useSection(outline.plan, outline.revision, "intro");
  const kept = useRef(section.data);
  if (section.data) kept.current = section.data;
  const intro = kept.current;
  if (intro) return <IntroText outline={outline} text={intro.markdown} revision={intro.revision} />;
  if (section.isError) {
    return (
      <ErrorState
        title="The introduction cannot be opened"
        error={section.error}
        onRetry={() => void section.refetch()}
      />
    );
  }
  return <Loading lines={2} label="Opening the introduction" />;
}

interface IntroTextProps {
  outline: Outline;
  text: string;
  revision: string;
}

function IntroText({ outline, text, revision }: IntroTextProps) {
  const field = useField({
    plan: outline.plan,
    draftKey: "plan/intro",
    value: text,
    revision,
    toEdit: (typed) => ({ edit: "intro", text: typed }),
  });
  return <TextField label="Introduction" field={field} shape="prose" />;
}

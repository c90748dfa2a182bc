/** Edits the title, goal and introduction. Loads the full introduction, because the outline contains only its beginning. */
import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Edit, Outline } from "../../api/bindings";
import { useSection } from "../../api/queries";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
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
      aria-label={words.outline.head.fields}
      onKeyDown={closeOnEscape}
    >
      <TextField label={words.outline.head.title} field={title} shape="line" inputRef={titleRef} />
      <TextField
        label={words.outline.head.goal}
        field={goal}
        shape="line"
        hint={words.outline.head.goalHint}
      />
      <IntroField outline={outline} />
      <div className={styles.foot}>
        <Button size="xs" variant="default" onClick={onClose}>
          {words.outline.head.done}
        </Button>
      </div>
    </div>
  );
}

function IntroField({ outline }: { outline: Outline }) {
  const section = useSection(outline.plan, outline.revision, "intro");
  const latest = useRef(section.data);
  if (section.data) latest.current = section.data;
  const intro = latest.current;
  if (intro) return <IntroText outline={outline} text={intro.markdown} revision={intro.revision} />;
  if (section.isError) {
    return (
      <ErrorState
        title={words.outline.head.introductionFailed}
        error={section.error}
        onRetry={() => void section.refetch()}
      />
    );
  }
  return <Loading lines={2} label={words.outline.head.loadingIntroduction} />;
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
  return <TextField label={words.outline.head.introduction} field={field} shape="prose" />;
}

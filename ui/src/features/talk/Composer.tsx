/** The message box: Enter sends, Shift+Enter adds a line. Typed text is kept as a draft until it is sent. While the model works, the button stops it. */
import { ActionIcon, Button, Textarea, Tooltip } from "@mantine/core";
import { IconArrowUp, IconPlayerStopFilled } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import type { TalkView } from "../../api/bindings";
import { codeOf } from "../../api/client";
import { useDraft } from "../../api/drafts";
import { useSay, useStopTalk } from "../../api/mutations";
import { words } from "../../words";
import { askApproval } from "../approve/open";
import box from "./Composer.module.css";
import { ContextGauge } from "./ContextGauge";
import { placeholder } from "./stateText";

const w = words.talk.composer;

export const composerId = "talk-words";

interface ComposerProps {
  talk: TalkView;
  /** Called after a message was sent. */
  onSent: () => void;
}

export function Composer({ talk, onSent }: ComposerProps) {
  const { mutate: say, isPending, error, reset } = useSay(["not_covered"]);
  const { mutate: stop } = useStopTalk();
  const draft = useDraft(talk.plan, "talk");
  const isSent = useRef(false);
  const isWorking = talk.state === "working";
  const isBlocked = draft.text.trim() === "" || isWorking || isPending;

  const send = () => {
    if (isBlocked || isSent.current) return;
    isSent.current = true;
    say(
      { session: talk.session, input: { input: "say", words: draft.text.trim() } },
      {
        onSuccess: () => {
          draft.drop();
          onSent();
        },
        onSettled: () => {
          isSent.current = false;
        },
      },
    );
  };
  return (
    <>
      {codeOf(error) === "not_covered" && talk.mode === "exec" && (
        <NotApproved talk={talk} onSwitched={reset} />
      )}
      <div className={box.composer}>
        <MessageBox
          label={w.label}
          placeholder={placeholder(talk)}
          text={draft.text}
          onChange={draft.set}
          onEnter={send}
        />
        {isWorking ? (
          <Tooltip label={w.stopTooltip}>
            <ActionIcon
              className={box.send}
              variant="filled"
              color="gray"
              size={30}
              radius="md"
              aria-label={w.stop}
              disabled={talk.work?.is_stopping}
              onClick={() => stop(talk.session)}
            >
              <IconPlayerStopFilled size={16} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <SendButton isBlocked={isBlocked} onClick={send} />
        )}
        <ContextGauge talk={talk} />
      </div>
    </>
  );
}

/** The notice when a message is meant for a run but the revision isn't approved. The message stays in the box. */
function NotApproved({ talk, onSwitched }: { talk: TalkView; onSwitched: () => void }) {
  const { mutate: say, isPending } = useSay();
  return (
    <section className={box.refused} role="alert">
      <p>{w.notApproved}</p>
      <div className={box.choices}>
        {talk.has_plan && (
          <Button size="compact-xs" onClick={() => askApproval("run")}>
            {w.approve}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={isPending}
          onClick={() =>
            say(
              { session: talk.session, input: { input: "mode", to: "plan" } },
              { onSuccess: onSwitched },
            )
          }
        >
          {w.toPlan}
        </Button>
      </div>
    </section>
  );
}

export function SendButton({ isBlocked, onClick }: { isBlocked: boolean; onClick: () => void }) {
  return (
    <Tooltip label={w.sendTooltip}>
      <ActionIcon
        className={box.send}
        variant="subtle"
        color={isBlocked ? "gray" : "indigo"}
        size={30}
        radius="md"
        aria-label={w.send}
        aria-disabled={isBlocked}
        onClick={onClick}
      >
        <IconArrowUp size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

interface MessageBoxProps {
  label: string;
  placeholder: string;
  text: string;
  onChange: (text: string) => void;
  onEnter: () => void;
}

export function MessageBox({ label, placeholder, text, onChange, onEnter }: MessageBoxProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter doesn't send while it confirms an input method's composition.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) onEnter();
  };
  return (
    <Textarea
      id={composerId}
      className={box.box}
      aria-label={label}
      placeholder={placeholder}
      autosize
      minRows={1}
      maxRows={8}
      dir="auto"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** The box to write in: Enter sends, Shift+Enter breaks the line. What is typed is kept until it is sent. While the model works, its button stops it. */
import { ActionIcon, Button, Textarea, Tooltip } from "@mantine/core";
import { IconArrowUp, IconPlayerStopFilled } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import type { TalkView } from "../../api/bindings";
import { codeOf } from "../../api/client";
import { useDraft } from "../../api/drafts";
import { useSay, useStopTalk } from "../../api/mutations";
import { askApproval } from "../approve/open";
import box from "./Composer.module.css";
import { ContextGauge } from "./ContextGauge";
import { hint } from "./words";

export const composerId = "talk-words";

interface ComposerProps {
  talk: TalkView;
  /** Called when something was sent. */
  onSaid: () => void;
}

export function Composer({ talk, onSaid }: ComposerProps) {
  const { mutate: say, isPending, error, reset } = useSay(["not_covered"]);
  const { mutate: stop } = useStopTalk();
  const words = useDraft(talk.plan, "talk");
  const isSent = useRef(false);
  const isWorking = talk.state === "working";
  const isBlocked = words.text.trim() === "" || isWorking || isPending;

  const send = () => {
    if (isBlocked || isSent.current) return;
    isSent.current = true;
    say(
      { session: talk.session, input: { input: "say", words: words.text.trim() } },
      {
        onSuccess: () => {
          words.drop();
          onSaid();
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
        <NothingApproved talk={talk} onLeft={reset} />
      )}
      <div className={box.composer}>
        <WordsBox
          label="Write to the model"
          placeholder={hint(talk)}
          text={words.text}
          onChange={words.set}
          onEnter={send}
        />
        {isWorking ? (
          <Tooltip label="Stop (Esc)">
            <ActionIcon
              className={box.send}
              variant="filled"
              color="gray"
              size={30}
              radius="md"
              aria-label="Stop"
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

/** Words for a run that cannot start: they stay in the box, and there are two ways on. */
function NothingApproved({ talk, onLeft }: { talk: TalkView; onLeft: () => void }) {
  const { mutate: say, isPending } = useSay();
  return (
    <section className={box.refused} role="alert">
      <p>
        Nothing of this plan is approved as it reads now, so no run can take your words. Approve it,
        or switch to Plan mode to talk about it.
      </p>
      <div className={box.ways}>
        {talk.has_plan && (
          <Button size="compact-xs" onClick={() => askApproval("run")}>
            Approve and run…
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={isPending}
          onClick={() =>
            say(
              { session: talk.session, input: { input: "mode", to: "plan" } },
              { onSuccess: onLeft },
            )
          }
        >
          Switch to Plan mode
        </Button>
      </div>
    </section>
  );
}

export function SendButton({ isBlocked, onClick }: { isBlocked: boolean; onClick: () => void }) {
  return (
    <Tooltip label="Send (Enter)">
      <ActionIcon
        className={box.send}
        variant="subtle"
        color={isBlocked ? "gray" : "indigo"}
        size={30}
        radius="md"
        aria-label="Send"
        aria-disabled={isBlocked}
        onClick={onClick}
      >
        <IconArrowUp size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

interface WordsBoxProps {
  label: string;
  placeholder: string;
  text: string;
  onChange: (text: string) => void;
  onEnter: () => void;
}

export function WordsBox({ label, placeholder, text, onChange, onEnter }: WordsBoxProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends a word of an input method is not meant for us.
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

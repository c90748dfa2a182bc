/** The keys of a conversation, heard wherever the focus is: writing, stopping, going on, what waits. Escape stops it inside of the conversation. */
import { useMemo, useRef } from "react";
import type { TalkView } from "../../api/bindings";
import { useSay, useStopTalk } from "../../api/mutations";
import { type Action, useActions } from "../../app/keys";
import { composerId } from "./Composer";
import { openQuestionId } from "./QuestionRow";

function focus(id: string): void {
  const found = document.getElementById(id);
  found?.scrollIntoView({ block: "nearest" });
  found?.focus();
}

export function useTalkActions(talk: TalkView): void {
  const { mutate: stop } = useStopTalk();
  const { mutate: say } = useSay();
  const now = useRef(talk);
  now.current = talk;
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "talk.write",
          title: "Write to the model",
          group: "Plan",
          keys: "i i",
          run: () => focus(composerId),
        },
        {
          id: "talk.question",
          title: "Go to what the model asks",
          group: "Go to",
          keys: "i q",
          when: () => now.current.state === "waiting",
          run: () => focus(openQuestionId),
        },
        {
          id: "talk.stop",
          title: "Stop the model",
          group: "Plan",
          keys: "i s",
          when: () => now.current.state === "working",
          run: () => stop(now.current.session),
        },
        {
          id: "talk.resume",
          title: "Go on with the turn that was cut off",
          group: "Plan",
          keys: "i g",
          when: () => now.current.state === "interrupted",
          run: () => say({ session: now.current.session, input: { input: "resume" } }),
        },
        {
          id: "talk.retry",
          title: "Ask the model again",
          group: "Plan",
          keys: "i r",
          when: () => now.current.state === "idle" && now.current.trouble !== null,
          run: () => say({ session: now.current.session, input: { input: "retry" } }),
        },
      ],
      [stop, say],
    ),
  );
}

/** Actions and keys of a conversation that work wherever focus is: write, go to the question, stop, resume, retry. (Escape stops the model too, inside the conversation.) */
import { useMemo, useRef } from "react";
import type { TalkView } from "../../api/bindings";
import { useSay, useStopTalk } from "../../api/mutations";
import { type Action, useActions } from "../../app/keys";
import { words } from "../../words";
import { composerId } from "./Composer";
import { openQuestionId } from "./QuestionRow";

const w = words.talk.actions;

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
          title: w.write,
          group: "plan",
          keys: "i i",
          run: () => focus(composerId),
        },
        {
          id: "talk.question",
          title: w.question,
          group: "go",
          keys: "i q",
          when: () => now.current.state === "waiting",
          run: () => focus(openQuestionId),
        },
        {
          id: "talk.stop",
          title: w.stop,
          group: "plan",
          keys: "i s",
          when: () => now.current.state === "working",
          run: () => stop(now.current.session),
        },
        {
          id: "talk.resume",
          title: w.resume,
          group: "plan",
          keys: "i g",
          when: () => now.current.state === "interrupted",
          run: () => say({ session: now.current.session, input: { input: "resume" } }),
        },
        {
          id: "talk.retry",
          title: w.retry,
          group: "plan",
          keys: "i r",
          when: () => now.current.state === "idle" && now.current.trouble !== null,
          run: () => say({ session: now.current.session, input: { input: "retry" } }),
        },
      ],
      [stop, say],
    ),
  );
}

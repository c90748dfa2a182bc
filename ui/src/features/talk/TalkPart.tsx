/** Talk beside the plan: the action that starts a comment from anywhere. */
import { useMemo } from "react";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { showPanel } from "../run/panel";
import { commentWishes } from "./wish";

export default function TalkPart() {
  const { task } = usePlace();
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "talk.comment",
          title: task ? `Comment on ${task}` : "Comment on the plan",
          group: "Step",
          keys: "c",
          run: () => {
            showPanel("talk");
            commentWishes.set(commentWishes.get() + 1);
          },
        },
      ],
      [task],
    ),
  );
  return null;
}

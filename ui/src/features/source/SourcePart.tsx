/** The actions that show the selected step in the source and copy the plan, from any view. Renders nothing and doesn't load the editor. */
import { useMemo } from "react";
import { type Action, useActions } from "../../app/keys";
import { getPlace, setPlace } from "../../app/place";
import { words } from "../../words";
import { stepRequest } from "./showLine";
import { useCopyPlan } from "./useCopyPlan";

export default function SourcePart() {
  useCopyPlan();
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "source.show",
          title: words.source.actions.show,
          group: "go",
          keys: "g s",
          when: () => getPlace().task !== null,
          run: () => {
            setPlace({ view: "source", editing: false });
            stepRequest.set(stepRequest.get() + 1);
          },
        },
      ],
      [],
    ),
  );
  return null;
}

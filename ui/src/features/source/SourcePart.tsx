/** Goes to the selected step's lines from every view. Draws nothing, and loads nothing of the editor. */
import { useMemo } from "react";
import { type Action, useActions } from "../../app/keys";
import { getPlace, setPlace } from "../../app/place";
import { sourceAsked } from "./asked";

export default function SourcePart() {
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "source.show",
          title: "Show the selected step in the source",
          group: "Go to",
          keys: "g s",
          when: () => getPlace().task !== null,
          run: () => {
            setPlace({ view: "source", editing: false });
            sourceAsked.set(sourceAsked.get() + 1);
          },
        },
      ],
      [],
    ),
  );
  return null;
}

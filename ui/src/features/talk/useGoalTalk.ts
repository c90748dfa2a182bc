/** Starts a conversation from a goal, and opens it. */
import { useCallback, useState } from "react";
import { codeOf } from "../../api/client";
import { useBeginTalk } from "../../api/mutations";
import { openTalk } from "../../app/place";
import { words } from "../../words";

interface GoalMessage {
  workspace: string;
  goal: string;
  /** The requirements as the person edited them; `null` to have them read from the goal. */
  requirements: string[] | null;
}

export function useGoalTalk() {
  const { mutateAsync: begin, isPending } = useBeginTalk();
  /** Why the configured model is unavailable. */
  const [trouble, setTrouble] = useState<string | null>(null);
  const ask = useCallback(
    async ({ workspace, goal, requirements }: GoalMessage): Promise<boolean> => {
      setTrouble(null);
      const message = requirements?.length ? words.talk.goal.message(goal, requirements) : goal;
      try {
        const session = await begin({
          workspace,
          plan: null,
          input: { input: "goal", words: message },
        });
        openTalk(session);
        return true;
      } catch (error) {
        // The query cache shows all other errors. The goal stays in its box.
        if (codeOf(error) === "model") setTrouble((error as Error).message);
        return false;
      }
    },
    [begin],
  );
  return { ask, isAsking: isPending, trouble };
}

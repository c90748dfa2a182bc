/** From goal to conversation: says it to the model that is configured, and opens what follows. */
import { useCallback, useState } from "react";
import { codeOf } from "../../api/client";
import { useBeginTalk } from "../../api/mutations";
import { openTalk } from "../../app/place";

export interface GoalSaid {
  workspace: string;
  goal: string;
  /** The requirements as the person left them; `null`: as they are read from the goal. */
  requirements: string[] | null;
}

export function useGoalTalk() {
  const { mutateAsync: begin, isPending } = useBeginTalk();
  /** Why no model can be asked as things are configured. */
  const [trouble, setTrouble] = useState<string | null>(null);
  const ask = useCallback(
    async ({ workspace, goal, requirements }: GoalSaid): Promise<boolean> => {
      setTrouble(null);
      const words = requirements?.length
        ? `${goal}\n\nRequirements:\n${requirements.map((one) => `- ${one}`).join("\n")}`
        : goal;
      try {
        const session = await begin({ workspace, plan: null, input: { input: "goal", words } });
        openTalk(session);
        return true;
      } catch (error) {
        // Other refusals are told by the cache. The goal stays in its box.
        if (codeOf(error) === "model") setTrouble((error as Error).message);
        return false;
      }
    },
    [begin],
  );
  return { ask, isAsking: isPending, trouble };
}

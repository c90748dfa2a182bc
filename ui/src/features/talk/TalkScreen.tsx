/** A conversation whose plan is not written yet, on a screen of its own. When the plan's file is there, the plan is opened with the conversation beside it. */
import { Button } from "@mantine/core";
import { useEffect } from "react";
import { useTalk } from "../../api/talk";
import { goTo, openPlan, usePlace } from "../../app/place";
import { ErrorState, Loading } from "../../components/States";
import { Conversation } from "./Conversation";
import styles from "./Talk.module.css";

export default function TalkScreen() {
  const { talk: session } = usePlace();
  const talk = useTalk(session);
  const plan = talk.data?.has_plan ? talk.data.plan : null;
  useEffect(() => {
    if (plan) openPlan(plan, { panel: "talk", talk: null });
  }, [plan]);
  if (talk.isError) {
    return (
      <ErrorState
        title="The conversation cannot be opened"
        error={talk.error}
        onRetry={() => void talk.refetch()}
      >
        <Button variant="default" onClick={() => goTo("first")}>
          To the first screen
        </Button>
      </ErrorState>
    );
  }
  if (!talk.data || plan) return <Loading label="Opening the conversation" />;
  return (
    <div className={styles.screen}>
      <h1 className="pw-sr">Making a plan</h1>
      <Conversation key={talk.data.session} talk={talk.data} />
    </div>
  );
}

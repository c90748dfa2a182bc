/** A conversation without a plan yet, as a whole screen. Once the plan's file exists, the plan opens with the conversation beside it. */
import { Button } from "@mantine/core";
import { useEffect } from "react";
import { useTalk } from "../../api/talk";
import { goTo, openPlan, usePlace } from "../../app/place";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { Conversation } from "./Conversation";
import styles from "./Talk.module.css";

const w = words.talk.screen;

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
        title={words.talk.panel.openFailed}
        error={talk.error}
        onRetry={() => void talk.refetch()}
      >
        <Button variant="default" onClick={() => goTo("first")}>
          {w.toStart}
        </Button>
      </ErrorState>
    );
  }
  if (!talk.data || plan) return <Loading label={w.opening} />;
  return (
    <div className={styles.screen}>
      <h1 className="pw-sr">{w.title}</h1>
      <Conversation key={talk.data.session} talk={talk.data} />
    </div>
  );
}

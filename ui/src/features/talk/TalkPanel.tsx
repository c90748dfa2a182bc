/** The Talk tab: the conversation about the plan with the model, and what waits for an answer besides. Before anything was said it shows the goal and the plan as it stands; without a model it says so. */
import { Button } from "@mantine/core";
import { useRef } from "react";
import type { Outline } from "../../api/bindings";
import { codeOf } from "../../api/client";
import { useDraft } from "../../api/drafts";
import { useBeginTalk } from "../../api/mutations";
import { useComments, useOutline, useStart } from "../../api/queries";
import { useTalkOf } from "../../api/talk";
import { usePlace } from "../../app/place";
import { ErrorState, Loading } from "../../components/States";
import { QuestionCard } from "../run/cards/QuestionCard";
import { showPanel } from "../run/panel";
import { questionKey, useShownRun } from "../run/shown";
import { count } from "../run/words";
import { openModels } from "../settings/models/openModels";
import { SendButton, WordsBox } from "./Composer";
import box from "./Composer.module.css";
import { Conversation } from "./Conversation";
import { GoalSaid, RequirementChips } from "./GoalSaid";
import { ProposalCard } from "./ProposalCard";
import { RunStrip } from "./RunStrip";
import styles from "./Talk.module.css";

export default function TalkPanel() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const talk = useTalkOf(plan);

  if (!plan || !outline || talk.isPending) return <Loading label="Loading the talk" />;
  if (talk.isError) {
    return (
      <ErrorState
        title="The conversation cannot be opened"
        error={talk.error}
        onRetry={() => void talk.refetch()}
      />
    );
  }
  if (talk.data) {
    return (
      <Conversation
        key={talk.data.session}
        talk={talk.data}
        underGoal={<RequirementChips outline={outline} />}
      >
        <Besides plan={plan} />
      </Conversation>
    );
  }
  return <NothingSaid key={plan} outline={outline} />;
}

/** What belongs to the plan and not to the conversation: open comments, and what a run asks. */
function Besides({ plan }: { plan: string }) {
  const comments = useComments(plan);
  const { view } = useShownRun();
  const open = comments.data?.filter((comment) => !comment.is_resolved).length ?? 0;
  return (
    <>
      {open > 0 && (
        <p className={styles.dim}>
          {count(open, "open comment")} ·{" "}
          <button type="button" className={styles.link} onClick={() => showPanel("review")}>
            Review
          </button>
        </p>
      )}
      {view && <RunStrip view={view} />}
      {view?.questions.map((question) => (
        <QuestionCard
          key={questionKey(question)}
          question={question}
          plan={plan}
          closed={
            view.is_elsewhere ? "This run is in another window or terminal. Answer there." : null
          }
        />
      ))}
    </>
  );
}

function NothingSaid({ outline }: { outline: Outline }) {
  const { plan, workspace } = outline;
  const start = useStart().data;
  const { mutate: begin, isPending, error } = useBeginTalk();
  const words = useDraft(plan, "talk");
  const isSent = useRef(false);
  const isBlocked = words.text.trim() === "" || isPending;

  const send = () => {
    if (isBlocked || isSent.current) return;
    isSent.current = true;
    const input = { input: "say" as const, words: words.text.trim() };
    begin(
      { workspace, plan, input },
      {
        onSuccess: words.drop,
        onSettled: () => {
          isSent.current = false;
        },
      },
    );
  };
  return (
    <div className={styles.talk}>
      <div className={styles.said}>
        <GoalSaid outline={outline} />
        <ProposalCard outline={outline} />
        <Besides plan={plan} />
        {start && !start.has_model && (
          <section className={styles.empty} aria-label="No model is set up">
            <p className={styles.dim}>
              No model is set up, so nobody answers here. Comments are kept with the plan, and go
              with “Request changes” or “Approve with notes”.
            </p>
            <Button size="compact-xs" variant="light" onClick={openModels}>
              Set up a model
            </Button>
          </section>
        )}
        {codeOf(error) === "model" && (
          <section className={styles.card} data-tone="bad" role="alert">
            <p className={styles.small}>
              <strong>The model cannot be asked.</strong> {error?.message}
            </p>
            <div className={styles.buttons}>
              <Button size="xs" onClick={openModels}>
                Open Settings → Models
              </Button>
            </div>
          </section>
        )}
        {start?.has_model && (
          <p className={styles.dim}>
            Ask about the plan, or say what should be different. Nothing but the plan is changed.
          </p>
        )}
      </div>
      {start?.has_model && (
        <div className={box.composer}>
          <WordsBox
            label="Write to the model"
            placeholder="Ask for a change"
            text={words.text}
            onChange={words.set}
            onEnter={send}
          />
          <SendButton isBlocked={isBlocked} onClick={send} />
        </div>
      )}
    </div>
  );
}

/** The Talk tab: the conversation about the plan, open comments, and questions of a run. Before the first message it shows the goal and the current plan; without a model it says so. */
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
import { words } from "../../words";
import { QuestionCard } from "../run/cards/QuestionCard";
import { showPanel } from "../run/panel";
import { questionKey, useShownRun } from "../run/shown";
import { openModels } from "../settings/models/openModels";
import { MessageBox, SendButton } from "./Composer";
import box from "./Composer.module.css";
import { Conversation } from "./Conversation";
import { Goal, RequirementChips } from "./Goal";
import { ProposalCard } from "./ProposalCard";
import { RunStrip } from "./RunStrip";
import styles from "./Talk.module.css";

const w = words.talk.panel;

export default function TalkPanel() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const talk = useTalkOf(plan);

  if (!plan || !outline || talk.isPending) return <Loading label={w.loading} />;
  if (talk.isError) {
    return (
      <ErrorState title={w.openFailed} error={talk.error} onRetry={() => void talk.refetch()} />
    );
  }
  if (talk.data) {
    return (
      <Conversation
        key={talk.data.session}
        talk={talk.data}
        underGoal={<RequirementChips outline={outline} />}
      >
        <OpenItems plan={plan} />
      </Conversation>
    );
  }
  return <EmptyConversation key={plan} outline={outline} />;
}

/** Open comments of the plan, and the questions of its run. */
function OpenItems({ plan }: { plan: string }) {
  const comments = useComments(plan);
  const { view } = useShownRun();
  const open = comments.data?.filter((comment) => !comment.is_resolved).length ?? 0;
  return (
    <>
      {open > 0 && (
        <p className={styles.dim}>
          {w.openComments(open)} ·{" "}
          <button type="button" className={styles.link} onClick={() => showPanel("review")}>
            {w.review}
          </button>
        </p>
      )}
      {view && <RunStrip view={view} />}
      {view?.questions.map((question) => (
        <QuestionCard
          key={questionKey(question)}
          question={question}
          plan={plan}
          closed={view.is_elsewhere ? w.runElsewhere : null}
        />
      ))}
    </>
  );
}

function EmptyConversation({ outline }: { outline: Outline }) {
  const { plan, workspace } = outline;
  const start = useStart().data;
  const { mutate: begin, isPending, error } = useBeginTalk();
  const draft = useDraft(plan, "talk");
  const isSent = useRef(false);
  const isBlocked = draft.text.trim() === "" || isPending;

  const send = () => {
    if (isBlocked || isSent.current) return;
    isSent.current = true;
    const input = { input: "say" as const, words: draft.text.trim() };
    begin(
      { workspace, plan, input },
      {
        onSuccess: draft.drop,
        onSettled: () => {
          isSent.current = false;
        },
      },
    );
  };
  return (
    <div className={styles.talk}>
      <div className={styles.said}>
        <Goal outline={outline} />
        <ProposalCard outline={outline} />
        <OpenItems plan={plan} />
        {start && !start.has_model && (
          <section className={styles.empty} aria-label={w.noModel}>
            <p className={styles.dim}>{w.noModelHint}</p>
            <Button size="compact-xs" variant="light" onClick={openModels}>
              {w.setUpModel}
            </Button>
          </section>
        )}
        {codeOf(error) === "model" && (
          <section className={styles.card} data-tone="bad" role="alert">
            <p className={styles.small}>
              <strong>{w.modelFailed}</strong> {error?.message}
            </p>
            <div className={styles.buttons}>
              <Button size="xs" onClick={openModels}>
                {w.openModels}
              </Button>
            </div>
          </section>
        )}
        {start?.has_model && <p className={styles.dim}>{w.start}</p>}
      </div>
      {start?.has_model && (
        <div className={box.composer}>
          <MessageBox
            label={words.talk.composer.label}
            placeholder={words.talk.composer.placeholder}
            text={draft.text}
            onChange={draft.set}
            onEnter={send}
          />
          <SendButton isBlocked={isBlocked} onClick={send} />
        </div>
      )}
    </div>
  );
}

/** The Inbox: everything that waits for a person, of all plans, the oldest first; answered where it stands, or opened. */
import { Button } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import type { InboxItem } from "../../api/bindings";
import { useSteer } from "../../api/mutations";
import { useInbox, useRun } from "../../api/queries";
import { openPlan, openTalk, openWorkspace, setPlace, usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { InboxQuestion } from "../asking/InboxQuestion";
import { QuestionCard } from "../run/cards/QuestionCard";
import { when } from "../run/words";
import styles from "./Inbox.module.css";

export default function InboxScreen() {
  const inbox = useInbox();
  return (
    <div className={styles.screen}>
      <h1 className={styles.title}>Inbox</h1>
      {inbox.isError ? (
        <ErrorState
          title="The Inbox cannot be shown"
          error={inbox.error}
          onRetry={() => void inbox.refetch()}
        />
      ) : !inbox.data ? (
        <Loading />
      ) : inbox.data.length === 0 ? (
        <EmptyState icon={<IconInbox size={26} />} title="Nothing waits for you.">
          Approvals, checkpoints, decisions, questions and unknown outcomes of all plans come here.
        </EmptyState>
      ) : (
        byPlan(inbox.data).map((items) => <PlanItems key={items[0]?.plan} items={items} />)
      )}
    </div>
  );
}

/** Groups of one plan each, in the order in which the first of each began to wait. */
export function byPlan(items: InboxItem[]): InboxItem[][] {
  const groups = new Map<string, InboxItem[]>();
  for (const item of [...items].sort((a, b) => a.since_ms - b.since_ms)) {
    const group = groups.get(item.plan);
    if (group) group.push(item);
    else groups.set(item.plan, [item]);
  }
  return [...groups.values()];
}

function PlanItems({ items }: { items: InboxItem[] }) {
  const first = items[0];
  if (!first) return null;
  return (
    <section className={styles.plan} aria-label={first.title}>
      <div className={styles.head}>
        <h2 className={styles.name} dir="auto">
          {first.title || "Plan without a title"}
        </h2>
        <span className={styles.where}>
          {first.workspace.split(/[\\/]/).filter(Boolean).at(-1)}
        </span>
        <OpenButton item={first} />
      </div>
      {items.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </section>
  );
}

function OpenButton({ item }: { item: InboxItem }) {
  const { workspace } = usePlace();
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Open ${item.title}`}
      onClick={() => {
        if (item.workspace !== workspace) openWorkspace(item.workspace, item.plan);
        if (item.talk) {
          openTalk(item.talk);
          return;
        }
        openPlan(item.plan, {
          run: item.run,
          panel: item.run ? "run" : item.kind === planQuestion ? "findings" : "talk",
          ...(item.question ? { task: item.question.task } : {}),
        });
        setPlace({ screen: "plan" });
      }}
    >
      Open
    </Button>
  );
}

/** The kind of a question about a plan, which no run asks. */
const planQuestion = "plan_question";

const heads: Record<string, string> = {
  approval: "A proposal waits for your approval",
  interrupted: "A run was interrupted",
  paused: "A run is paused",
  failed: "A run failed",
  waiting: "A run waits for you",
  not_covered: "A run stopped: the plan has changed since its approval",
  unverified: "A run finished, some steps unverified",
  incomplete: "A run finished, not complete",
  talk_waiting: "The model asks you something",
  talk_interrupted: "A conversation with a model was cut off",
};

function Item({ item }: { item: InboxItem }) {
  const run = useRun(item.run).data;
  const steer = useSteer();
  const canResume = run?.can_resume === true;
  return (
    <div>
      <p className={styles.since}>since {when(item.since_ms)}</p>
      {item.question ? (
        <QuestionCard
          question={item.question}
          plan={item.plan}
          closed={
            run?.is_elsewhere ? "This run is in another window or terminal. Answer there." : null
          }
        />
      ) : item.kind === planQuestion ? (
        <InboxQuestion plan={item.plan} />
      ) : (
        <div className={styles.row}>
          <div className={styles.text}>
            <p className={styles.rowTitle}>{heads[item.kind] ?? "This waits for you"}</p>
            <p className={styles.message} dir="auto">
              {item.message}
            </p>
          </div>
          {canResume && (
            <Button
              size="xs"
              loading={steer.isPending}
              onClick={() =>
                item.run && steer.mutate({ run: item.run, steering: { action: "resume" } })
              }
            >
              Resume
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

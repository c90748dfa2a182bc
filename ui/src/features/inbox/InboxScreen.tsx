/** The Inbox: everything that waits for a person, from all plans, oldest first. Questions are answered and runs resumed in place; the button of a group opens its plan. */
import { Button } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import type { InboxItem } from "../../api/bindings";
import { useSteer } from "../../api/mutations";
import { useInbox, useRun } from "../../api/queries";
import { openPlan, openTalk, openWorkspace, setPlace, usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { when } from "../../lib/time";
import { words } from "../../words";
import { InboxQuestion } from "../asking/InboxQuestion";
import { QuestionCard } from "../run/cards/QuestionCard";
import styles from "./Inbox.module.css";

export default function InboxScreen() {
  const inbox = useInbox();
  return (
    <div className={styles.screen}>
      <h1 className="pw-heading">{words.inbox.title}</h1>
      {inbox.isError ? (
        <ErrorState
          title={words.inbox.errorTitle}
          error={inbox.error}
          onRetry={() => void inbox.refetch()}
        />
      ) : !inbox.data ? (
        <Loading />
      ) : inbox.data.length === 0 ? (
        <EmptyState icon={<IconInbox size={26} />} title={words.inbox.emptyTitle}>
          {words.inbox.emptyText}
        </EmptyState>
      ) : (
        byPlan(inbox.data).map((items) => <PlanItems key={items[0]?.plan} items={items} />)
      )}
    </div>
  );
}

/** Items grouped by plan, ordered by the oldest item of each group. */
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
    <section className="pw-column pw-gap-10" aria-label={first.title}>
      <div className={styles.head}>
        <h2 className={styles.name} dir="auto">
          {first.title || words.inbox.untitledPlan}
        </h2>
        <span className={styles.where} title={first.workspace}>
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
      aria-label={words.inbox.openPlan(item.title)}
      onClick={() => {
        if (item.workspace !== workspace) openWorkspace(item.workspace, item.plan);
        if (item.talk) {
          openTalk(item.talk);
          return;
        }
        openPlan(item.plan, {
          run: item.run,
          panel: item.run ? "run" : opensFindings.has(item.kind) ? "findings" : "talk",
          ...(item.question ? { task: item.question.task } : {}),
        });
        setPlace({ screen: "plan" });
      }}
    >
      {words.inbox.open}
    </Button>
  );
}

/** The kind of a question about a plan, which belongs to no run. */
const planQuestion = "plan_question";

/** Kinds of items whose button opens the plan at its findings. */
const opensFindings = new Set([planQuestion, "agent_review"]);

function Item({ item }: { item: InboxItem }) {
  const run = useRun(item.run).data;
  const steer = useSteer();
  const canResume = run?.can_resume === true;
  return (
    <div>
      <p className={styles.since}>{words.inbox.item.since(when(item.since_ms))}</p>
      {item.question ? (
        <QuestionCard
          question={item.question}
          plan={item.plan}
          closed={run?.is_elsewhere ? words.run.panel.isElsewhere : null}
        />
      ) : item.kind === planQuestion ? (
        <InboxQuestion plan={item.plan} />
      ) : (
        <div className={styles.row}>
          <div className={styles.text}>
            <p className="pw-bold">
              {words.inbox.item.titles[item.kind] ?? words.inbox.item.otherTitle}
            </p>
            <p className="pw-dim pw-isolate" dir="auto">
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
              {words.inbox.item.resume}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** The run beside the plan: its verbs in the bar, its actions, and the voice that says when something waits. Draws no region of its own. */
import {
  IconArrowBackUp,
  IconArrowFork,
  IconEye,
  IconMessageQuestion,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconReceipt,
} from "@tabler/icons-react";
import { useMemo, useRef, useState } from "react";
import type { RunQuestion, RunView } from "../../api/bindings";
import { useSteer } from "../../api/mutations";
import { useGone, useRunStep } from "../../api/queries";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { useVerbs, type Verb } from "../bar/verbs";
import { askUndo } from "../changes/undo";
import { openReceipt } from "../receipt/open";
import { useAnswering } from "./cards/useAnswering";
import { isCardInView, showCard, showPanel } from "./panel";
import { useCurrent } from "./RunHead";
import { goesOn, questionKey, useShownRun } from "./shown";
import { useCopyBrief } from "./useCopyBrief";
import { waysOpen } from "./waysOpen";
import { answerTitle, questionTitle } from "./words";

export default function RunPart() {
  const { view } = useShownRun();
  const first = view?.questions[0];
  return (
    <>
      <Handing />
      {view && <RunVerbs key={view.run} view={view} />}
      {view && <WayVerb view={view} />}
      {view && first && (
        <WaitingVerb
          key={questionKey(first)}
          question={first}
          plan={view.plan}
          isElsewhere={view.is_elsewhere}
        />
      )}
      <div className="pw-sr" role="status" aria-live="polite">
        {view?.questions.map((question) => questionTitle(question)).join(". ")}
      </div>
    </>
  );
}

/** The one thing that waits, as the primary verb. Only a step's start is answered from the bar, and only while its card is before the person's eyes; everything else leads to the card. */
function WaitingVerb({
  question,
  plan,
  isElsewhere,
}: {
  question: RunQuestion;
  plan: string;
  isElsewhere: boolean;
}) {
  const { give, isBusy } = useAnswering(question, plan);
  const giving = useRef(give);
  giving.current = give;
  const isStart = question.kind === "approval" && !isElsewhere;
  const gone = useGone(plan);
  const closed = isStart ? gone : null;
  useVerbs(
    useMemo<Verb[]>(
      () => [
        {
          id: "run.answer",
          title: isStart ? "Approve and continue" : answerTitle(question),
          consequence: isStart
            ? `Starts ${question.task}; its card shows what it may change and run`
            : `${questionTitle(question)}: shows what is asked`,
          keys: "r a",
          group: "Run",
          rank: 90,
          icon: isStart ? IconPlayerTrackNext : IconMessageQuestion,
          disabled: isBusy ? "The answer is on its way" : (closed ?? undefined),
          run: () => {
            if (isStart && isCardInView(question)) giving.current({ answer: "run", upto: null });
            else showCard(question);
          },
        },
      ],
      [question, isStart, isBusy, closed],
    ),
  );
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "run.waits",
          title: "Go to what waits for you",
          group: "Run",
          keys: "w",
          run: () => showCard(question),
        },
      ],
      [question],
    ),
  );
  return null;
}

/** Another way for the step at work, while a model carries it out. */
function WayVerb({ view }: { view: RunView }) {
  const current = useCurrent(view);
  const task = current?.task ?? view.questions[0]?.task ?? null;
  const ways = useRunStep(view.run, task).data?.model?.ways ?? [];
  const isClosed = view.is_elsewhere || ways.length === 0;
  const { run } = view;
  useVerbs(
    useMemo<Verb[]>(
      () =>
        isClosed || !task
          ? []
          : [
              {
                id: "run.way",
                title: `Another way for ${task}…`,
                consequence: "Shows how the step can go on: again, with less, in your words, apart",
                keys: "r x",
                group: "Run",
                rank: 58,
                icon: IconArrowFork,
                run: () => {
                  waysOpen.set({ run, task });
                  showPanel("run");
                },
              },
            ],
      [isClosed, run, task],
    ),
  );
  return null;
}

/** States from which a run is ended for now; the others have ended by themselves. */
const cancellable = ["waiting", "paused", "interrupted", "failed"];

/** What resuming leads to, where that is not simply the next step. */
const resumes: Record<string, string> = {
  interrupted: "Looks at what was interrupted, asks where the outcome is unknown, and continues",
  waiting: "Looks at the plan again and asks what is still open",
  failed: "Asks what to do about the failed step, then continues",
  not_covered: "Continues if the plan reads as approved again",
  unverified: "Asks about the unverified steps",
  incomplete: "Looks again at what is not covered",
};

function RunVerbs({ view }: { view: RunView }) {
  const { task } = usePlace();
  const steer = useSteer();
  const [isCancelling, setCancelling] = useState(false);
  const { mutate, isPending } = steer;
  const { run, state, is_live: isLive, is_elsewhere: isElsewhere, can_resume: canResume } = view;
  const isOn = goesOn(view);
  const changed = view.steps.filter((step) => step.changes > 0);
  const undone = changed.find((step) => step.task === task) ?? changed.at(-1);
  const undoTask = undone?.task ?? null;
  const canCancel = isLive || (canResume && cancellable.includes(state));
  const hasDone = view.done > 0;
  const elsewhere = isElsewhere ? "This run is in another window or terminal" : undefined;

  useVerbs(
    useMemo<Verb[]>(() => {
      const list: Verb[] = [];
      if (isOn) {
        list.push({
          id: "run.pause",
          title: "Pause",
          consequence: "Finishes the step in hand and stops there",
          keys: "r p",
          group: "Run",
          rank: "beside",
          icon: IconPlayerPause,
          disabled: elsewhere ?? (isPending ? "Sending…" : undefined),
          run: () => mutate({ run, steering: { action: "pause" } }),
        });
      }
      if (undoTask) {
        list.push({
          id: "run.undo",
          title: isOn ? "Undo step" : `Undo ${undoTask}…`,
          consequence: `Puts the files back that ${undoTask} changed; asks first`,
          keys: "r u",
          group: "Run",
          rank: isOn ? "beside" : 4,
          icon: IconArrowBackUp,
          run: () => askUndo({ run, task: undoTask, path: null }),
        });
      }
      if (canResume) {
        list.push({
          id: "run.resume",
          title: "Resume",
          consequence: resumes[state] ?? "Continues with the next approved step",
          keys: "r r",
          group: "Run",
          // Where only another plan helps, approving it comes first.
          rank: ["not_covered", "incomplete"].includes(state) ? 48 : 80,
          icon: IconPlayerPlay,
          disabled: isPending ? "Sending…" : undefined,
          run: () => mutate({ run, steering: { action: "resume" } }),
        });
      }
      if (isOn) {
        list.push({
          id: "run.show",
          title: "Show the run",
          consequence: "Opens the Run panel",
          keys: "r o",
          group: "Run",
          rank: 60,
          icon: IconEye,
          run: () => showPanel("run"),
        });
      }
      if (canCancel) {
        list.push({
          id: "run.cancel",
          title: "Cancel the run…",
          consequence: "Stops the current command and the run; what was done stays",
          keys: "r c",
          group: "Run",
          rank: isOn ? 55 : 45,
          icon: IconPlayerStop,
          danger: true,
          disabled: elsewhere,
          run: () => setCancelling(true),
        });
      }
      if (hasDone) {
        list.push({
          id: "run.receipt",
          title: "Receipt",
          consequence: "What was done, with its evidence",
          keys: "r e",
          group: "Run",
          rank: 3,
          icon: IconReceipt,
          run: () => openReceipt(run),
        });
      }
      return list;
    }, [isOn, canCancel, canResume, isPending, state, undoTask, hasDone, elsewhere, run, mutate]),
  );

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "run.undoAll",
          title: "Undo the whole run…",
          group: "Run",
          keys: "r w",
          when: () => undoTask !== null,
          run: () => askUndo({ run, task: null, path: null }),
        },
      ],
      [run, undoTask],
    ),
  );

  return (
    <ConfirmDialog
      opened={isCancelling}
      title="Cancel the run?"
      confirm="Cancel the run"
      cancel="Keep running"
      danger
      onClose={() => setCancelling(false)}
      onConfirm={() => {
        mutate({ run, steering: { action: "cancel" } });
        setCancelling(false);
      }}
    >
      <p>Stops the current command. Changes made so far stay; you can undo them in Changes.</p>
    </ConfirmDialog>
  );
}

function Handing() {
  const { task } = usePlace();
  const copyBrief = useCopyBrief();
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "step.brief",
          title: "Copy the step as a brief",
          group: "Step",
          keys: "y b",
          when: () => task !== null,
          run: copyBrief,
        },
      ],
      [task, copyBrief],
    ),
  );
  return null;
}

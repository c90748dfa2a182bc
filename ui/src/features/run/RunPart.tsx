/** The run's verbs in the bar, its actions, and the live region that announces questions. Draws nothing visible. */
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
import { words } from "../../words";
import { useVerbs, type Verb } from "../bar/verbs";
import { askUndo } from "../changes/undo";
import { openReceipt } from "../receipt/open";
import { useCardAnswer } from "./cards/useCardAnswer";
import { answerTitle, questionTitle } from "./labels";
import { openRecovery } from "./openRecovery";
import { isCardInView, showCard, showPanel } from "./panel";
import { useCurrent } from "./RunHead";
import { goesOn, questionKey, useFinishedRun, useShownRun } from "./shown";
import { useCopyBrief } from "./useCopyBrief";

export default function RunPart() {
  const { view } = useShownRun();
  const first = view?.questions[0];
  return (
    <>
      <BriefAction />
      {view && <RunVerbs key={view.run} view={view} />}
      {view && <RecoveryVerb view={view} />}
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

/** The first waiting question as the primary verb. Only a step's start can be approved from the bar, and only while its card is on screen; every other question leads to its card. */
function WaitingVerb({
  question,
  plan,
  isElsewhere,
}: {
  question: RunQuestion;
  plan: string;
  isElsewhere: boolean;
}) {
  const { submit, isBusy } = useCardAnswer(question, plan);
  const latestSubmit = useRef(submit);
  latestSubmit.current = submit;
  const isStart = question.kind === "approval" && !isElsewhere;
  const gone = useGone(plan);
  const closed = isStart ? gone : null;
  useVerbs(
    useMemo<Verb[]>(
      () => [
        {
          id: "run.answer",
          title: isStart ? words.runCards.start.approveAndContinue : answerTitle(question),
          consequence: isStart
            ? words.run.verbs.approveConsequence(question.task)
            : words.run.verbs.answerConsequence(questionTitle(question)),
          keys: "r a",
          group: "run",
          rank: 90,
          icon: isStart ? IconPlayerTrackNext : IconMessageQuestion,
          disabled: isBusy ? words.runCards.card.sending : (closed ?? undefined),
          run: () => {
            if (isStart && isCardInView(question))
              latestSubmit.current({ answer: "run", upto: null });
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
          title: words.run.verbs.goToWaiting,
          group: "run",
          keys: "w",
          run: () => showCard(question),
        },
      ],
      [question],
    ),
  );
  return null;
}

/** The verb that opens the recovery options of the current step or, if none is running, of the step that the first question is about. */
function RecoveryVerb({ view }: { view: RunView }) {
  const current = useCurrent(view);
  const task = current?.task ?? view.questions[0]?.task ?? null;
  const options = useRunStep(view.run, task).data?.model?.ways ?? [];
  const isClosed = view.is_elsewhere || options.length === 0;
  const { run } = view;
  useVerbs(
    useMemo<Verb[]>(
      () =>
        isClosed || !task
          ? []
          : [
              {
                id: "run.way",
                title: words.run.verbs.changeApproach(task),
                consequence: words.run.verbs.changeApproachConsequence,
                keys: "r x",
                group: "run",
                rank: 58,
                icon: IconArrowFork,
                run: () => {
                  openRecovery.set({ run, task });
                  showPanel("run");
                },
              },
            ],
      [isClosed, run, task],
    ),
  );
  return null;
}

/** States in which a run without a process can be canceled; in all others it has ended. */
const cancellable = ["waiting", "paused", "interrupted", "failed"];

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
  const isFinished = useFinishedRun(view.plan) === run;
  const elsewhere = isElsewhere ? words.run.verbs.isElsewhere : undefined;

  useVerbs(
    useMemo<Verb[]>(() => {
      const list: Verb[] = [];
      if (isOn) {
        list.push({
          id: "run.pause",
          title: words.run.verbs.pause,
          consequence: words.run.verbs.pauseConsequence,
          keys: "r p",
          group: "run",
          rank: "beside",
          icon: IconPlayerPause,
          disabled: elsewhere ?? (isPending ? words.run.verbs.sending : undefined),
          run: () => mutate({ run, steering: { action: "pause" } }),
        });
      }
      if (undoTask) {
        list.push({
          id: "run.undo",
          title: isOn ? words.run.verbs.undoStep : words.run.verbs.undo(undoTask),
          consequence: words.run.verbs.undoConsequence(undoTask),
          keys: "r u",
          group: "run",
          rank: isOn ? "beside" : 4,
          icon: IconArrowBackUp,
          run: () => askUndo({ run, task: undoTask, path: null }),
        });
      }
      if (canResume) {
        list.push({
          id: "run.resume",
          title: words.run.verbs.resume,
          consequence: words.run.verbs.resumeConsequences[state] ?? words.run.verbs.resumeNextStep,
          keys: "r r",
          group: "run",
          // If the run can't continue with this revision, approving the new one ranks higher.
          rank: ["not_covered", "incomplete"].includes(state) ? 48 : 80,
          icon: IconPlayerPlay,
          disabled: isPending ? words.run.verbs.sending : undefined,
          run: () => mutate({ run, steering: { action: "resume" } }),
        });
      }
      if (isOn) {
        list.push({
          id: "run.show",
          title: words.run.verbs.show,
          consequence: words.run.verbs.showConsequence,
          keys: "r o",
          group: "run",
          rank: 60,
          icon: IconEye,
          run: () => showPanel("run"),
        });
      }
      if (canCancel) {
        list.push({
          id: "run.cancel",
          title: words.run.verbs.cancel,
          consequence: words.run.verbs.cancelConsequence,
          keys: "r c",
          group: "run",
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
          title: words.run.verbs.receipt,
          consequence: words.run.verbs.receiptConsequence,
          keys: "r e",
          group: "run",
          // If nothing is left to run, the receipt ranks above a new approval.
          rank: isFinished ? 70 : 3,
          icon: IconReceipt,
          run: () => openReceipt(run),
        });
      }
      return list;
    }, [
      isOn,
      canCancel,
      canResume,
      isPending,
      state,
      undoTask,
      hasDone,
      isFinished,
      elsewhere,
      run,
      mutate,
    ]),
  );

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "run.undoAll",
          title: words.run.verbs.undoRun,
          group: "run",
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
      title={words.run.cancelDialog.title}
      confirm={words.run.cancelDialog.confirm}
      cancel={words.run.cancelDialog.keepRunning}
      danger
      onClose={() => setCancelling(false)}
      onConfirm={() => {
        mutate({ run, steering: { action: "cancel" } });
        setCancelling(false);
      }}
    >
      <p>{words.run.cancelDialog.consequence}</p>
    </ConfirmDialog>
  );
}

function BriefAction() {
  const { task } = usePlace();
  const copyBrief = useCopyBrief();
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "step.brief",
          title: words.run.brief.copyAction,
          group: "step",
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

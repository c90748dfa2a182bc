/** The box for a goal. What is typed is kept by the backend; the requirements under it are read as one types and can be changed. */
import { Button, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFolder, IconFolderOpen, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { WorkspaceInfo } from "../../api/bindings";
import { type DraftField, useDraft } from "../../api/drafts";
import { useModels } from "../../api/models";
import { saveDraft } from "../../api/mutations";
import { useGoalReading, useStart } from "../../api/queries";
import { useEffortForecasts } from "../../api/routes";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { Kbd } from "../../components/Kbd";
import { LinkButton } from "../../components/LinkButton";
import { TemplateLine } from "../../components/TemplateLine";
import { useStore } from "../../lib/store";
import { EffortChoices, EffortMenu } from "../routes/EffortMenu";
import { chosenEffort } from "../routes/effort";
import { PlanningProgress } from "../routes/PlanningProgress";
import { makeWords } from "../routes/words";
import { openModels } from "../settings/models/openModels";
import { useGoalTalk } from "../talk/useGoalTalk";
import styles from "./GoalBox.module.css";
import { chosenTemplate, withoutTemplate } from "./planning";
import { Requirements } from "./Requirements";
import { usePlanMaking } from "./useMakePlan";
import { useOpening } from "./useOpening";

const readAfterMs = 150;
/** What it would take is worked out when the person pauses. */
const forecastAfterMs = 400;

const talkKeys = "mod+shift+Enter";

/** Owns the goal that is typed before any folder is open. */
const noFolder = "no folder";

export function GoalBox({ workspace }: { workspace: WorkspaceInfo | null }) {
  // The place knows the folder before it is open: what is typed at once has its owner already.
  const path = usePlace().workspace;
  const goal = useDraft(path ?? noFolder, "goal");
  const own = useDraft(path ?? noFolder, "goal/requirements");
  const [settled] = useDebouncedValue(goal.text, readAfterMs);
  const reading = useGoalReading(path, settled).data;
  const template = useStore(chosenTemplate);
  const isRefused = useStore(withoutTemplate);
  const { chooseFolder } = useOpening();
  const { job, make, cancel, settle } = usePlanMaking();
  const { ask, isAsking, trouble } = useGoalTalk();
  const hasModel = useStart().data?.has_model ?? false;
  const model = useModels().data?.in_force?.model ?? null;
  // A template that was chosen is planned with as it is.
  const canTalk = hasModel && template === null;
  const effort = useStore(chosenEffort);
  const [paused] = useDebouncedValue(goal.text, forecastAfterMs);
  const forecasts = useEffortForecasts(path, model, goal.text.trim() ? paused : "");
  const forecast = forecasts.data?.find((one) => one.effort === effort);
  const box = useRef<HTMLTextAreaElement>(null);

  useCarried(path, goal);

  const read = goal.text.trim() ? (reading?.requirements ?? []) : [];
  // What is said of a goal is said of one that stands there, and is planned by rules first.
  const isByRules = !forecast || forecast.route.includes("gs-symbolic");
  const matched = goal.text.trim() && isByRules && !template ? reading?.template : null;
  const mine = own.isDraft ? own.text.split("\n").filter(Boolean) : null;
  const blocked = !workspace
    ? "Open a folder first"
    : !workspace.is_writable
      ? "This folder is read-only: plans in it can be read, not written"
      : goal.text.trim() === ""
        ? "Say what should be done"
        : null;

  const plan = (isTalk: boolean) => {
    if (!path) {
      chooseFolder();
      return;
    }
    if (blocked || job || isAsking) {
      box.current?.focus();
      return;
    }
    const wanted = { workspace: path, goal: goal.text.trim(), requirements: mine };
    void (isTalk ? ask(wanted) : make(wanted)).then((done) => {
      if (!done) return;
      goal.drop();
      own.drop();
    });
  };
  const planNow = useRef(plan);
  planNow.current = plan;

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "first.make",
          title: "Make a plan",
          group: "Plan",
          keys: "mod+Enter",
          run: () => planNow.current(false),
        },
        {
          id: "first.talk",
          title: "Talk the goal over with the model",
          group: "Plan",
          keys: talkKeys,
          when: () => canTalk,
          run: () => planNow.current(true),
        },
        {
          id: "first.goal",
          title: "Write a goal",
          group: "Plan",
          keys: "/",
          run: () => box.current?.focus(),
        },
      ],
      [canTalk],
    ),
  );

  // Grows with what is typed; the style sheet bounds it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the text changes
  useLayoutEffect(() => {
    const field = box.current;
    if (!field) return;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }, [goal.text]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) {
      event.preventDefault();
      plan(event.shiftKey && canTalk);
    }
  };

  return (
    <>
      <div className={styles.box}>
        <textarea
          id="goal"
          ref={box}
          className={styles.goal}
          rows={2}
          aria-label="What should be done?"
          placeholder="Add a --json flag to the report command and test it"
          value={goal.text}
          readOnly={job !== null}
          onChange={(event) => goal.set(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div className={styles.actions}>
          <Tooltip label="Open another folder">
            <Button
              variant="default"
              leftSection={workspace ? <IconFolder size={15} /> : <IconFolderOpen size={15} />}
              onClick={chooseFolder}
              className={styles.quiet}
            >
              {workspace ? workspace.name : "Open a folder"}
            </Button>
          </Tooltip>
          <EffortMenu className={styles.quiet}>
            <EffortChoices
              forecasts={forecasts.data}
              error={forecasts.error}
              withoutGoal="What they would take is said once there is a goal."
            />
          </EffortMenu>
          {template && (
            <Button
              variant="default"
              rightSection={<IconX size={13} />}
              aria-label={`Template ${template}: let the goal choose instead`}
              onClick={() => chosenTemplate.set(null)}
              className={styles.quiet}
            >
              Template: {template}
            </Button>
          )}
          <Button
            className={styles.make}
            aria-disabled={blocked !== null || job !== null || isAsking}
            rightSection={<Kbd keys="mod+Enter" small hidden />}
            onClick={() => plan(false)}
            title={blocked ?? undefined}
          >
            Make a plan
          </Button>
        </div>
      </div>
      {canTalk && !job && (
        <p className={styles.how}>
          {makeWords(effort, forecast, model ?? "the model")}{" "}
          <LinkButton
            aria-disabled={blocked !== null || isAsking}
            title={blocked ?? "It reads the folder, asks what it must, and proposes a plan"}
            onClick={() => plan(true)}
          >
            Talk it over with the model instead
          </LinkButton>
        </p>
      )}
      {trouble && (
        <section className={styles.trouble} role="alert" aria-label="The model cannot be asked">
          <p>
            <strong>The model cannot be asked.</strong> {trouble}
          </p>
          <Button size="compact-xs" variant="light" onClick={openModels}>
            Open Settings → Models
          </Button>
        </section>
      )}
      {workspace && !workspace.is_writable && (
        <p className={styles.notice} role="status">
          {blocked}. Its files may belong to somebody else; open another folder, or change its
          permissions.
        </p>
      )}
      {workspace?.notices.map((notice) => (
        <p key={notice} className={styles.notice} role="status">
          {notice}
        </p>
      ))}
      {job ? (
        <PlanningProgress
          job={job.job}
          isCancelled={job.isCancelled}
          hasEnough={job.hasEnough}
          onCancel={cancel}
          onEnough={settle}
        />
      ) : (
        goal.text.trim() !== "" && (
          <>
            {matched &&
              (isRefused ? (
                <p className={styles.how}>
                  Without a template: a step for each requirement.{" "}
                  <LinkButton onClick={() => withoutTemplate.set(false)}>
                    Use the template {matched.name}
                  </LinkButton>
                </p>
              ) : (
                <TemplateLine
                  name={matched.name}
                  reason={matched.reason}
                  took={matched.took}
                  label="Without the template"
                  onClick={() => withoutTemplate.set(true)}
                />
              ))}
            <Requirements
              read={read}
              own={mine}
              open={reading?.open ?? []}
              onChange={(list) => (list ? own.set(list.join("\n")) : own.drop())}
            />
          </>
        )
      )}
    </>
  );
}

/** A goal that was begun before any folder was open goes into the first folder that is opened, unless one waits there. */
function useCarried(path: string | null, goal: DraftField): void {
  const begun = useRef("");
  if (!path) begun.current = goal.text;
  const { isReady, isDraft, set } = goal;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the folder's own draft is known
  useEffect(() => {
    if (!path || !isReady || !begun.current) return;
    if (!isDraft) set(begun.current);
    begun.current = "";
    saveDraft(noFolder, "goal", "", null).catch(() => undefined);
  }, [path, isReady]);
}

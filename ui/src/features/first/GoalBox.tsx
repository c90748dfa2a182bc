/** The goal box. The backend keeps drafts of the goal and of its requirements, which are read while typing and can be edited. */
import { Button, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFolder, IconFolderOpen, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { WorkspaceInfo } from "../../api/bindings";
import { saveDraft } from "../../api/draftList";
import { type DraftField, useDraft } from "../../api/drafts";
import { useModels } from "../../api/models";
import { useGoalReading, useStart } from "../../api/queries";
import { useEffortForecasts } from "../../api/routes";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { Kbd } from "../../components/Kbd";
import { LinkButton } from "../../components/LinkButton";
import { TemplateLine } from "../../components/TemplateLine";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { EffortChoices, EffortMenu } from "../routes/EffortMenu";
import { chosenEffort } from "../routes/effort";
import { PlanningProgress } from "../routes/PlanningProgress";
import { makeWords } from "../routes/routeText";
import { openModels } from "../settings/models/openModels";
import { useGoalTalk } from "../talk/useGoalTalk";
import { AgentChoices } from "./AgentChoices";
import styles from "./GoalBox.module.css";
import { chosenTemplate, withoutTemplate } from "./planning";
import { Requirements } from "./Requirements";
import { usePlanMaking } from "./useMakePlan";
import { useOpening } from "./useOpening";

const readAfterMs = 150;
/** Pause in typing after which estimates are fetched, in milliseconds. */
const forecastAfterMs = 400;

const talkKeys = "mod+shift+Enter";

/** The owner of the draft of a goal that is typed before a folder is open. */
const noFolder = "no-folder";

const { goal: text, template: templateText } = words.first;

export function GoalBox({ workspace }: { workspace: WorkspaceInfo | null }) {
  // Taken from the window's place, which names the folder before it is opened, so that text typed early is saved for that folder.
  const path = usePlace().workspace;
  const goal = useDraft(path ?? noFolder, "goal");
  const own = useDraft(path ?? noFolder, "goal/requirements");
  const [settled] = useDebouncedValue(goal.text, readAfterMs);
  const reading = useGoalReading(path, settled).data;
  const template = useStore(chosenTemplate);
  const isRefused = useStore(withoutTemplate);
  const { chooseFolder } = useOpening();
  const { job, make, cancel, takeBest } = usePlanMaking();
  const { ask, isAsking, trouble } = useGoalTalk();
  const hasModel = useStart().data?.has_model ?? false;
  const model = useModels().data?.in_force?.model ?? null;
  // With a chosen template, no conversation is needed.
  const canTalk = hasModel && template === null;
  const effort = useStore(chosenEffort);
  const [paused] = useDebouncedValue(goal.text, forecastAfterMs);
  const forecasts = useEffortForecasts(path, model, goal.text.trim() ? paused : "");
  const forecast = forecasts.data?.find((one) => one.effort === effort);
  const box = useRef<HTMLTextAreaElement>(null);

  // Takes focus at startup, so that typing works right away, but not from a button or a dialog.
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (!active || active === document.body || active.id === "centre") box.current?.focus();
  }, []);

  useCarryOver(path, goal);

  const read = goal.text.trim() ? (reading?.requirements ?? []) : [];
  // A matching template is shown only if rules plan the goal first.
  const isByRules = !forecast || forecast.route.includes("gs-symbolic");
  const matched = goal.text.trim() && isByRules && !template ? reading?.template : null;
  const mine = own.isDraft ? own.text.split("\n").filter(Boolean) : null;
  const blocked = !workspace
    ? text.noFolder
    : !workspace.is_writable
      ? text.readOnly
      : goal.text.trim() === ""
        ? text.empty
        : null;

  const plan = (isTalk: boolean, agent: string | null = null) => {
    if (!path) {
      chooseFolder();
      return;
    }
    if (blocked || job || isAsking) {
      box.current?.focus();
      return;
    }
    const wanted = { workspace: path, goal: goal.text.trim(), requirements: mine };
    void (isTalk ? ask(wanted) : make({ ...wanted, agent })).then((done) => {
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
          title: text.makePlan,
          group: "plan",
          keys: "mod+Enter",
          run: () => planNow.current(false),
        },
        {
          id: "first.talk",
          title: text.talkAction,
          group: "plan",
          keys: talkKeys,
          when: () => canTalk,
          run: () => planNow.current(true),
        },
        {
          id: "first.goal",
          title: text.focusAction,
          group: "plan",
          keys: "/",
          run: () => box.current?.focus(),
        },
      ],
      [canTalk],
    ),
  );

  // Grows with its text, up to the style sheet's limit.
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
          aria-label={words.first.title}
          placeholder={text.placeholder}
          value={goal.text}
          readOnly={job !== null}
          onChange={(event) => goal.set(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div className={styles.actions}>
          <Tooltip label={words.first.openAnotherFolder}>
            <Button
              variant="default"
              leftSection={workspace ? <IconFolder size={15} /> : <IconFolderOpen size={15} />}
              onClick={chooseFolder}
              className={styles.quiet}
            >
              {workspace ? workspace.name : words.first.openFolder}
            </Button>
          </Tooltip>
          <EffortMenu className={styles.quiet}>
            <EffortChoices
              forecasts={forecasts.data}
              error={forecasts.error}
              withoutGoal={text.estimatesHint}
            />
          </EffortMenu>
          {template && (
            <Button
              variant="default"
              rightSection={<IconX size={13} />}
              aria-label={templateText.remove(template)}
              onClick={() => chosenTemplate.set(null)}
              className={styles.quiet}
            >
              {templateText.chosen(template)}
            </Button>
          )}
          <Button
            className={styles.make}
            aria-disabled={blocked !== null || job !== null || isAsking}
            rightSection={<Kbd keys="mod+Enter" small hidden />}
            onClick={() => plan(false)}
            title={blocked ?? undefined}
          >
            {text.makePlan}
          </Button>
        </div>
      </div>
      {canTalk && !job && (
        <p className={styles.how}>
          {makeWords(effort, forecast, model ?? text.theModel)}{" "}
          <LinkButton
            aria-disabled={blocked !== null || isAsking}
            title={blocked ?? text.talkTooltip}
            onClick={() => plan(true)}
          >
            {text.talk}
          </LinkButton>
        </p>
      )}
      {!job && (
        <AgentChoices
          isDisabled={blocked !== null || isAsking}
          reason={blocked}
          onChoose={(agent) => plan(false, agent)}
        />
      )}
      {trouble && (
        <section className={styles.trouble} role="alert" aria-label={text.modelErrorTitle}>
          <p>
            <strong>{text.modelErrorTitle}.</strong> {trouble}
          </p>
          <Button size="compact-xs" variant="light" onClick={openModels}>
            {text.openModels}
          </Button>
        </section>
      )}
      {workspace && !workspace.is_writable && (
        <p className={styles.notice} role="status">
          {text.readOnly}. {text.readOnlyHint}
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
          onEnough={job.agent === null ? takeBest : null}
        />
      ) : (
        goal.text.trim() !== "" && (
          <>
            {matched &&
              (isRefused ? (
                <p className={styles.how}>
                  {templateText.unused}{" "}
                  <LinkButton onClick={() => withoutTemplate.set(false)}>
                    {templateText.apply(matched.name)}
                  </LinkButton>
                </p>
              ) : (
                <TemplateLine
                  name={matched.name}
                  reason={matched.reason}
                  took={matched.took}
                  label={templateText.without}
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

/** When the first folder is opened, moves a goal that was typed earlier to it, unless the folder has a draft. */
function useCarryOver(path: string | null, goal: DraftField): void {
  const begun = useRef("");
  if (!path) begun.current = goal.text;
  const { isReady, isDraft, set } = goal;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the folder's draft is known
  useEffect(() => {
    if (!path || !isReady || !begun.current) return;
    if (!isDraft) set(begun.current);
    begun.current = "";
    saveDraft(noFolder, "goal", "", null).catch(() => undefined);
  }, [path, isReady]);
}

/** The mode control in the header: in Plan mode only the plan can change, in Exec mode messages go to a run of it. With a model it can be switched here or by key; a run sets it automatically. */
import { Tooltip } from "@mantine/core";
import { useMemo } from "react";
import type { Outline } from "../../api/bindings";
import { useBeginTalk, useSay } from "../../api/mutations";
import { useRun, useStart } from "../../api/queries";
import { useTalkOf } from "../../api/talk";
import { type Action, useActions } from "../../app/keys";
import { keyWords } from "../../lib/keyText";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import styles from "./ModeControl.module.css";

const modeKeys = "mod+.";

const w = words.talk.mode;

const tooltips: Record<string, string> = { plan: w.planTooltip, exec: w.execTooltip };

export function ModeControl({ outline }: { outline: Outline }) {
  const { plan, workspace } = outline;
  const run = useRun(outline.run).data;
  const hasModel = useStart().data?.has_model ?? false;
  const talk = useTalkOf(hasModel ? plan : null).data;
  const { mutate: say } = useSay();
  const { mutate: begin } = useBeginTalk();
  const isRunning =
    run !== undefined && (run.is_live || run.is_elsewhere || run.state === "waiting");
  const mode = isRunning || talk?.mode === "exec" ? "exec" : "plan";
  const session = talk?.session ?? null;
  const canSwitch = hasModel && !isRunning && outline.is_writable;

  const set = useMemo(
    () => (to: string) => {
      const input = { input: "mode" as const, to };
      if (session) say({ session, input });
      else {
        begin(
          { workspace, plan, input },
          {
            onError: (error) => {
              // The query cache shows all other errors.
              if (error.code !== "model") return;
              showToast({ tone: "bad", title: w.switchFailed, message: error.message });
            },
          },
        );
      }
    },
    [session, say, begin, workspace, plan],
  );
  useActions(
    useMemo<Action[]>(
      () =>
        canSwitch
          ? [
              {
                id: "talk.mode",
                title: mode === "plan" ? words.talk.actions.toExec : words.talk.actions.toPlan,
                group: "plan",
                keys: modeKeys,
                inFields: true,
                run: () => set(mode === "plan" ? "exec" : "plan"),
              },
            ]
          : [],
      [canSwitch, mode, set],
    ),
  );

  if (!canSwitch) {
    const why = isRunning ? (talk?.mode === "exec" ? w.runningInExec : w.running) : w.onlyPlan;
    return (
      <Tooltip label={why} multiline w={260}>
        <span
          className={styles.mode}
          tabIndex={0}
          role="img"
          aria-label={w.current(mode === "exec" ? w.exec : w.plan)}
        >
          <Side mode="plan" now={mode} />
          <Side mode="exec" now={mode} />
        </span>
      </Tooltip>
    );
  }
  return (
    <div className={styles.mode} role="group" aria-label={w.label}>
      {["plan", "exec"].map((one) => (
        <Tooltip
          key={one}
          label={
            one === mode ? tooltips[one] : w.withKeys(tooltips[one] ?? one, keyWords(modeKeys))
          }
          multiline
          w={260}
        >
          <button
            type="button"
            className={styles.side}
            data-on={one === mode || undefined}
            data-mode={one}
            aria-pressed={one === mode}
            onClick={() => one !== mode && set(one)}
          >
            {one === "plan" ? w.plan : w.exec}
          </button>
        </Tooltip>
      ))}
    </div>
  );
}

function Side({ mode, now }: { mode: string; now: string }) {
  return (
    <span className={styles.side} data-on={mode === now || undefined} data-mode={mode} aria-hidden>
      {mode === "plan" ? w.plan : w.exec}
    </span>
  );
}

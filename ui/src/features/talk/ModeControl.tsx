/** The mode in the header: in Plan nothing but the plan may change, in Exec what is said goes to a run of it. With a model it is switched here or by its key; a run sets it by itself. */
import { Tooltip } from "@mantine/core";
import { useMemo } from "react";
import type { Outline } from "../../api/bindings";
import { useBeginTalk, useSay } from "../../api/mutations";
import { useRun, useStart } from "../../api/queries";
import { useTalkOf } from "../../api/talk";
import { type Action, useActions } from "../../app/keys";
import { keyWords } from "../../lib/keyText";
import { showToast } from "../../lib/toast";
import styles from "./ModeControl.module.css";

const modeKeys = "mod+.";

const means: Record<string, string> = {
  plan: "Plan: nothing changes but the plan.",
  exec: "Exec: what you say goes to the run of this plan. If none is open, a run of the approved revision starts.",
};

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
              // Other refusals are told by the cache.
              if (error.code !== "model") return;
              showToast({ tone: "bad", title: "The mode was not changed", message: error.message });
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
                title: mode === "plan" ? "Switch to Exec mode" : "Switch to Plan mode",
                group: "Plan",
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
    const why = isRunning
      ? `Exec: a run carries out the approved plan.${talk?.mode === "exec" ? " What you say goes to it." : ""}`
      : "Plan: nothing changes but the plan. “Approve and run” leaves this mode.";
    return (
      <Tooltip label={why} multiline w={260}>
        <span
          className={styles.mode}
          tabIndex={0}
          role="img"
          aria-label={`Mode: ${mode === "exec" ? "Exec" : "Plan"}`}
        >
          <Side mode="plan" now={mode} />
          <Side mode="exec" now={mode} />
        </span>
      </Tooltip>
    );
  }
  return (
    <div className={styles.mode} role="group" aria-label="Mode">
      {["plan", "exec"].map((one) => (
        <Tooltip
          key={one}
          label={`${means[one]}${one === mode ? "" : ` (${keyWords(modeKeys)})`}`}
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
            {one === "plan" ? "Plan" : "Exec"}
          </button>
        </Tooltip>
      ))}
    </div>
  );
}

function Side({ mode, now }: { mode: string; now: string }) {
  return (
    <span className={styles.side} data-on={mode === now || undefined} data-mode={mode} aria-hidden>
      {mode === "plan" ? "Plan" : "Exec"}
    </span>
  );
}

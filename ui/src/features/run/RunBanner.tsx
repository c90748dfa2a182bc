/** Says why a run isn't progressing here, and what to do: it ended, is paused or interrupted, runs elsewhere, or isn't the latest. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { RunView } from "../../api/bindings";
import { useSteer } from "../../api/mutations";
import { setPlace } from "../../app/place";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import { askApproval } from "../approve/open";
import { openReceipt } from "../receipt/open";
import { runStateLabel } from "./labels";
import { showPanel } from "./panel";
import styles from "./RunPanel.module.css";

const tones: Record<string, string> = {
  done: "good",
  failed: "bad",
  interrupted: "warn",
  not_covered: "warn",
  unverified: "warn",
  incomplete: "warn",
};

interface RunBannerProps {
  view: RunView;
  newest: string | null;
}

export function RunBanner({ view, newest }: RunBannerProps) {
  const steer = useSteer();
  const hasEnded = !view.is_live && !view.is_elsewhere;
  const isDone = view.state === "done";
  const buttons: ReactNode[] = [];
  // The cards below say what a waiting run needs; Resume rereads the plan and asks what remains.
  const hasCards = view.state === "waiting" && view.questions.length > 0;
  const isApproval = view.state === "not_covered";
  if (view.can_resume) {
    buttons.push(
      <Button
        key="resume"
        size={hasCards ? "compact-xs" : "xs"}
        variant={hasCards || isApproval ? "default" : "filled"}
        title={hasCards ? words.run.verbs.resumeConsequences.waiting : undefined}
        loading={steer.isPending}
        onClick={() => steer.mutate({ run: view.run, steering: { action: "resume" } })}
      >
        {words.run.banner.resume}
      </Button>,
    );
  }
  if (hasEnded && isApproval) {
    buttons.unshift(
      <Button key="approve" size="xs" onClick={() => askApproval("run")}>
        {words.run.panel.approveAndRun}
      </Button>,
    );
  }
  if (hasEnded && !hasCards && view.done > 0) {
    buttons.push(
      <Button
        key="receipt"
        size="xs"
        variant={isDone ? "filled" : "default"}
        onClick={() => openReceipt(view.run)}
      >
        {words.run.banner.receipt}
      </Button>,
      <Button
        key="changes"
        size="xs"
        variant="default"
        onClick={() => showPanel("changes", view.run)}
      >
        {words.run.banner.changes}
      </Button>,
    );
  }
  const isOlder = newest !== null && newest !== view.run;
  return (
    <>
      {isOlder && (
        <p className={styles.notice}>
          {words.run.banner.isEarlierRun}{" "}
          <button type="button" className={styles.link} onClick={() => setPlace({ run: null })}>
            {words.run.panel.showLatest}
          </button>
        </p>
      )}
      {view.is_elsewhere && <p className={styles.notice}>{words.run.banner.isElsewhere}</p>}
      {hasCards && buttons.length > 0 && <div className="pw-chips pw-gap-8">{buttons}</div>}
      {hasEnded && !hasCards && (
        <div className={styles.banner} data-tone={tones[view.state] ?? "plain"}>
          <p className="pw-bold">{runStateLabel(view.state)}</p>
          <p className="pw-dim pw-isolate" dir="auto">
            <Inline>{view.message}</Inline>
          </p>
          {buttons.length > 0 && <div className="pw-chips pw-gap-8">{buttons}</div>}
        </div>
      )}
    </>
  );
}

/** What to know and do about a run that does not go on by itself: ended, paused, cut off, carried out elsewhere, or older than the newest. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { RunView } from "../../api/bindings";
import { useSteer } from "../../api/mutations";
import { setPlace } from "../../app/place";
import { Inline } from "../../components/Inline";
import { askApproval } from "../approve/open";
import { openReceipt } from "../receipt/open";
import { showPanel } from "./panel";
import styles from "./RunPanel.module.css";
import { runStateWords } from "./words";

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
  // The cards below say what a waiting run needs; to resume it looks again, and asks what is left.
  const isSaid = view.state === "waiting" && view.questions.length > 0;
  const isApproval = view.state === "not_covered";
  if (view.can_resume) {
    buttons.push(
      <Button
        key="resume"
        size={isSaid ? "compact-xs" : "xs"}
        variant={isSaid || isApproval ? "default" : "filled"}
        title={isSaid ? "Reads the plan again and asks what is still open" : undefined}
        loading={steer.isPending}
        onClick={() => steer.mutate({ run: view.run, steering: { action: "resume" } })}
      >
        Resume
      </Button>,
    );
  }
  if (hasEnded && isApproval) {
    buttons.unshift(
      <Button key="approve" size="xs" onClick={() => askApproval("run")}>
        Approve and run…
      </Button>,
    );
  }
  if (hasEnded && !isSaid && view.done > 0) {
    buttons.push(
      <Button
        key="receipt"
        size="xs"
        variant={isDone ? "filled" : "default"}
        onClick={() => openReceipt(view.run)}
      >
        Receipt
      </Button>,
      <Button
        key="changes"
        size="xs"
        variant="default"
        onClick={() => showPanel("changes", view.run)}
      >
        Changes
      </Button>,
    );
  }
  const isOlder = newest !== null && newest !== view.run;
  return (
    <>
      {isOlder && (
        <p className={styles.notice}>
          This is an earlier run.{" "}
          <button type="button" className={styles.link} onClick={() => setPlace({ run: null })}>
            Show the newest
          </button>
        </p>
      )}
      {view.is_elsewhere && (
        <p className={styles.notice}>
          This run is in another window or terminal. Watch it here; answer there, or here once that
          one has closed.
        </p>
      )}
      {isSaid && buttons.length > 0 && <div className={styles.buttons}>{buttons}</div>}
      {hasEnded && !isSaid && (
        <div className={styles.banner} data-tone={tones[view.state] ?? "plain"}>
          <p className={styles.bannerTitle}>{runStateWords(view.state)}</p>
          <p className={styles.bannerText} dir="auto">
            <Inline>{view.message}</Inline>
          </p>
          {buttons.length > 0 && <div className={styles.buttons}>{buttons}</div>}
        </div>
      )}
    </>
  );
}

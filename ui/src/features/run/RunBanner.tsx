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

/** States from which a run can be taken up without an answer. */
export const canResume = ["paused", "interrupted", "stopped"];

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
  if (hasEnded && canResume.includes(view.state)) {
    buttons.push(
      <Button
        key="resume"
        size="xs"
        loading={steer.isPending}
        onClick={() => steer.mutate({ run: view.run, steering: { action: "resume" } })}
      >
        Resume
      </Button>,
    );
  }
  if (hasEnded && view.state === "not_covered") {
    buttons.push(
      <Button key="approve" size="xs" onClick={() => askApproval("run")}>
        Approve and run…
      </Button>,
    );
  }
  if (hasEnded && view.done > 0) {
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
  // The cards below say what a waiting run needs.
  const isSaid = view.state === "waiting" && view.questions.length > 0;
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
          Another window or terminal carries this run out. You can watch it here; answer where it
          was started, or here once that one has ended.
        </p>
      )}
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

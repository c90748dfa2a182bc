/** A call of the model in one line: what it does and what came of it. Opened, it shows its arguments, what the model got, and what it changed, fetched then. */
import {
  IconChevronRight,
  IconFileDescription,
  IconFilePencil,
  IconFileText,
  IconHelpCircle,
  IconListSearch,
  IconSearch,
  IconTerminal2,
  IconTool,
} from "@tabler/icons-react";
import { type ComponentType, useId, useState } from "react";
import type { TalkItem } from "../../api/bindings";
import { useTalkCall } from "../../api/talk";
import { Code } from "../../components/Code";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import calls from "./Calls.module.css";
import styles from "./Talk.module.css";

const icons: Record<string, ComponentType<{ size?: number }>> = {
  read_file: IconFileDescription,
  search_files: IconSearch,
  list_files: IconListSearch,
  run_command: IconTerminal2,
  edit_file: IconFilePencil,
  write_file: IconFilePencil,
  edit_plan: IconFileText,
  read_plan: IconFileText,
  propose_plan: IconFileText,
  ask_user: IconHelpCircle,
};

const states: Record<string, string> = {
  running: "under way",
  asked: "waits for your answer",
  failed: "failed",
  refused: "not carried out",
  unknown: "outcome unknown",
};

interface CallRowProps {
  item: Extract<TalkItem, { kind: "call" }>;
  session: string;
  isWorking: boolean;
}

export function CallRow({ item, session, isWorking }: CallRowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const Icon = icons[item.tool] ?? IconTool;
  // A process ended while it ran.
  const state = item.state === "running" && !isWorking ? "unknown" : item.state;
  const word = states[state];
  return (
    <div className={calls.call} data-state={state}>
      <button
        type="button"
        className={calls.callHead}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={calls.callIcon} aria-hidden>
          <Icon size={14} />
        </span>
        <span className={calls.callTitle} data-mono={item.tool === "run_command" || undefined}>
          <bdi>{item.title}</bdi>
        </span>
        <IconChevronRight size={13} className={calls.chevron} aria-hidden />
      </button>
      {(word || item.summary) && (
        <p className={calls.callSummary}>
          {word && <span className={calls.callState}>{word}</span>}
          {word && item.summary && " · "}
          <bdi>{item.summary}</bdi>
        </p>
      )}
      {isOpen && (
        <div id={id} className={calls.callBody}>
          <CallBody session={session} call={item.call} title={item.title} />
        </div>
      )}
    </div>
  );
}

function CallBody({ session, call, title }: { session: string; call: string; title: string }) {
  const asked = useTalkCall(session, call);
  if (asked.isError) {
    return (
      <ErrorState
        title="The call cannot be shown"
        error={asked.error}
        onRetry={() => void asked.refetch()}
      />
    );
  }
  if (!asked.data) return <Loading lines={2} label="Loading the call" />;
  const { arguments: given, content, is_cut, diff } = asked.data;
  return (
    <>
      <p className={calls.caption}>WHAT IT ASKED FOR</p>
      <Code block lines={10} label={`Arguments of ${title}`}>
        {given}
      </Code>
      {diff.length > 0 && (
        <>
          <p className={calls.caption}>WHAT IT CHANGED</p>
          <div className={calls.frame}>
            <Diff lines={diff} label={`What ${title} changed`} height={14} />
          </div>
        </>
      )}
      {content && (
        <>
          <p className={calls.caption}>WHAT THE MODEL GOT</p>
          <Code block lines={14} label={`What came of ${title}`}>
            {content}
          </Code>
          {is_cut && <p className={styles.dim}>The middle is left out here.</p>}
        </>
      )}
    </>
  );
}

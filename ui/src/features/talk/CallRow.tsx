/** One line for a tool call: what it does and its outcome. Expanding it fetches and shows its arguments, its changes and its result. */
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
import { words } from "../../words";
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

const { call: w, callStates } = words.talk;

interface CallRowProps {
  item: Extract<TalkItem, { kind: "call" }>;
  session: string;
  isWorking: boolean;
}

export function CallRow({ item, session, isWorking }: CallRowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const Icon = icons[item.tool] ?? IconTool;
  // Nothing is running anymore, so the call was interrupted and its outcome is unknown.
  const state = item.state === "running" && !isWorking ? "unknown" : item.state;
  const stateWord = callStates[state];
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
      {(stateWord || item.summary) && (
        <p className={calls.callSummary}>
          {stateWord && <span className="pw-bold">{stateWord}</span>}
          {stateWord && item.summary && " · "}
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
  const detail = useTalkCall(session, call);
  if (detail.isError) {
    return (
      <ErrorState title={w.loadFailed} error={detail.error} onRetry={() => void detail.refetch()} />
    );
  }
  if (!detail.data) return <Loading lines={2} label={w.loading} />;
  const { arguments: args, content, is_cut, diff } = detail.data;
  return (
    <>
      <p className={calls.caption}>{w.arguments}</p>
      <Code block lines={10} label={w.argumentsLabel(title)}>
        {args}
      </Code>
      {diff.length > 0 && (
        <>
          <p className={calls.caption}>{w.changes}</p>
          <div className="pw-frame pw-clip">
            <Diff lines={diff} label={w.changesLabel(title)} height={14} />
          </div>
        </>
      )}
      {content && (
        <>
          <p className={calls.caption}>{w.result}</p>
          <Code block lines={14} label={w.resultLabel(title)}>
            {content}
          </Code>
          {is_cut && <p className={styles.dim}>{w.isCut}</p>}
        </>
      )}
    </>
  );
}

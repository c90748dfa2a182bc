/** Sections of the approval dialog: when to ask for approval, parallel steps, the branch to work on, unsent comments, and a run that is already active. */
import { Checkbox, Input, Radio, SegmentedControl, TextInput } from "@mantine/core";
import type { ApprovalView, GitView } from "../../api/bindings";
import { Exact } from "../../components/Exact";
import { words } from "../../words";
import { policyLabel } from "../run/labels";
import { showPanel } from "../run/panel";
import styles from "./Approve.module.css";
import { askApproval, closeApproval } from "./open";

interface PolicyProps {
  view: ApprovalView;
  value: string;
  onChange: (policy: string) => void;
}

export function Policy({ view, value, onChange }: PolicyProps) {
  return (
    <Radio.Group label={words.approve.policy.label} size="sm" value={value} onChange={onChange}>
      <div className="pw-column pw-gap-8" style={{ marginTop: 8 }}>
        {view.policies.map((policy) => {
          const { title, line } = policyLabel(policy);
          return <Radio key={policy} size="xs" value={policy} label={title} description={line} />;
        })}
      </div>
    </Radio.Group>
  );
}

interface ParallelStepsProps {
  value: number;
  onChange: (steps: number) => void;
}

/** Sets the maximum number of parallel steps. */
export function ParallelSteps({ value, onChange }: ParallelStepsProps) {
  const w = words.approve.parallel;
  return (
    <Input.Wrapper
      label={w.label}
      labelElement="div"
      size="sm"
      description={value > 1 ? w.several : w.one}
    >
      <SegmentedControl
        mt={8}
        size="xs"
        aria-label={w.label}
        data={["1", "2", "3", "4"]}
        value={String(value)}
        onChange={(steps) => onChange(Number(steps))}
      />
    </Input.Wrapper>
  );
}

interface BranchProps {
  git: GitView;
  branch: string | null;
  onChange: (branch: string | null) => void;
}

/** Lists the uncommitted files, and offers to work on a new branch. */
export function Branch({ git, branch, onChange }: BranchProps) {
  const more = git.dirty_count - git.dirty.length;
  const w = words.approve.branch;
  const current = git.branch ?? git.head;
  return (
    <section className="pw-column pw-gap-8">
      {git.dirty_count > 0 && (
        <div className={styles.notice}>
          <p className={styles.noticeTitle}>{w.uncommitted(git.dirty_count)}</p>
          <ul className={styles.list}>
            {git.dirty.map((file) => (
              <li key={file}>
                <Exact>{file}</Exact>
              </li>
            ))}
            {more > 0 && <li>{w.andMore(more)}</li>}
          </ul>
          <p className="pw-hint">{w.uncommittedHint}</p>
        </div>
      )}
      <Checkbox
        size="xs"
        label={current ? w.createInstead(<bdi>{current}</bdi>) : w.create}
        checked={branch !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? git.offer : null)}
      />
      {branch !== null && (
        <TextInput
          size="xs"
          label={w.name}
          required
          value={branch}
          error={branch.trim() ? undefined : w.missing}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </section>
  );
}

interface UnsentProps {
  view: ApprovalView;
  /** Whether the person chose to leave the comments unsent. */
  isKept: boolean;
  onKeep: (isKept: boolean) => void;
}

/** Asks what to do with unsent comments, so that an approval doesn't overlook them. */
export function Unsent({ view, isKept, onKeep }: UnsentProps) {
  const w = words.approve.unsent;
  const count = view.unsent_comments;
  if (count === 0) return null;
  return (
    <div className={styles.notice} role="group" aria-label={w.label}>
      <p className={styles.noticeTitle}>{w.title(count)}</p>
      <p className={styles.links}>
        <button type="button" className={styles.link} onClick={() => askApproval("notes")}>
          {w.addAsNotes(count)}
        </button>
        <button type="button" className={styles.link} onClick={() => askApproval("changes")}>
          {w.request}
        </button>
      </p>
      <Checkbox
        size="xs"
        label={w.leave(count)}
        checked={isKept}
        onChange={(event) => onKeep(event.currentTarget.checked)}
      />
    </div>
  );
}

/** Reports that a run of the plan is already active, because only one can be active at a time. */
export function Running({ run }: { run: string }) {
  const w = words.approve.running;
  return (
    <div className={styles.notice} data-tone="bad">
      <p className={styles.noticeTitle}>{w.title}</p>
      <p className="pw-hint">
        {w.hint}{" "}
        <button
          type="button"
          className={styles.link}
          onClick={() => {
            closeApproval();
            showPanel("run", run);
          }}
        >
          {w.show}
        </button>
      </p>
    </div>
  );
}

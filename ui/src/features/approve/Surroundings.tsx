/** What stands around an approval: the policy, how many steps go at once, the sandbox, the repository, comments that were not sent, a run that goes on. */
import { Checkbox, Input, Radio, SegmentedControl, TextInput } from "@mantine/core";
import type { ApprovalView, GitView } from "../../api/bindings";
import { Exact } from "../../components/Exact";
import { showPanel } from "../run/panel";
import { policyWords } from "../run/words";
import styles from "./Approve.module.css";
import { askApproval, closeApproval } from "./open";

interface PolicyProps {
  view: ApprovalView;
  value: string;
  onChange: (policy: string) => void;
}

export function Policy({ view, value, onChange }: PolicyProps) {
  return (
    <Radio.Group label="Ask for approval" size="sm" value={value} onChange={onChange}>
      <div className={styles.choices} style={{ marginTop: 8 }}>
        {view.policies.map((policy) => {
          const { title, line } = policyWords(policy);
          return <Radio key={policy} size="xs" value={policy} label={title} description={line} />;
        })}
      </div>
    </Radio.Group>
  );
}

interface SideBySideProps {
  value: number;
  onChange: (steps: number) => void;
}

/** How many steps the run may have under way at once. */
export function SideBySide({ value, onChange }: SideBySideProps) {
  return (
    <Input.Wrapper
      label="Parallel steps"
      labelElement="div"
      size="sm"
      description={
        value > 1
          ? "Independent steps that name different files run at the same time, and can write only to those files. Steps that name no files, and all checks, run alone."
          : "One step at a time."
      }
    >
      <SegmentedControl
        mt={8}
        size="xs"
        aria-label="Parallel steps"
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

/** Names the files that no commit holds, and offers a branch of its own. */
export function Branch({ git, branch, onChange }: BranchProps) {
  const more = git.dirty_count - git.dirty.length;
  const where = git.branch ?? git.head ?? "a repository without a commit";
  return (
    <section className={styles.choices}>
      {git.dirty_count > 0 && (
        <div className={styles.notice}>
          <p className={styles.noticeTitle}>
            {git.dirty_count.toLocaleString("en")} uncommitted{" "}
            {git.dirty_count === 1 ? "file" : "files"}
          </p>
          <ul className={styles.list}>
            {git.dirty.map((file) => (
              <li key={file}>
                <Exact>{file}</Exact>
              </li>
            ))}
            {more > 0 && <li>and {more} more</li>}
          </ul>
          <p className={styles.dim}>
            Your changes stay. The run’s changes are tracked separately; nothing is committed.
          </p>
        </div>
      )}
      <Checkbox
        size="xs"
        label={
          <>
            Work on a new branch instead of <bdi>{where}</bdi>
          </>
        }
        checked={branch !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? git.offer : null)}
      />
      {branch !== null && (
        <TextInput
          size="xs"
          label="Branch name"
          required
          value={branch}
          error={branch.trim() ? undefined : "Enter a branch name."}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </section>
  );
}

interface UnsentProps {
  view: ApprovalView;
  /** Whether the person said that they stay unsent. */
  isLeft: boolean;
  onLeave: (isLeft: boolean) => void;
}

/** Comments that would be lost from sight: asked about before they are. */
export function Unsent({ view, isLeft, onLeave }: UnsentProps) {
  const count = view.unsent_comments;
  if (count === 0) return null;
  return (
    <div className={styles.notice} role="group" aria-label="Unsent comments">
      <p className={styles.noticeTitle}>
        {count === 1 ? "1 unsent comment" : `${count} unsent comments`}
      </p>
      <p className={styles.ways}>
        <button type="button" className={styles.link} onClick={() => askApproval("notes")}>
          Add {count === 1 ? "it" : "them"} to the plan as notes…
        </button>
        <button type="button" className={styles.link} onClick={() => askApproval("changes")}>
          Request changes instead…
        </button>
      </p>
      <Checkbox
        size="xs"
        label={`Approve without ${count === 1 ? "it" : "them"}; kept with the plan, unsent`}
        checked={isLeft}
        onChange={(event) => onLeave(event.currentTarget.checked)}
      />
    </div>
  );
}

/** A run that goes on already: there is one at a time. */
export function Running({ run }: { run: string }) {
  return (
    <div className={styles.notice} data-tone="bad">
      <p className={styles.noticeTitle}>This plan is already running.</p>
      <p className={styles.dim}>
        One run at a time: wait for it or cancel it.{" "}
        <button
          type="button"
          className={styles.link}
          onClick={() => {
            closeApproval();
            showPanel("run", run);
          }}
        >
          Show run
        </button>
      </p>
    </div>
  );
}

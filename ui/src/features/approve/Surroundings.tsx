/** What stands around an approval: the policy, how many steps go at once, the sandbox, the repository, comments that were not sent, a run that goes on. */
import { Checkbox, Input, Radio, SegmentedControl, TextInput } from "@mantine/core";
import type { ApprovalView, GitView } from "../../api/bindings";
import { Exact } from "../../components/Exact";
import { showPanel } from "../run/panel";
import { count, policyWords } from "../run/words";
import styles from "./Approve.module.css";
import { askApproval, closeApproval } from "./open";

interface PolicyProps {
  view: ApprovalView;
  value: string;
  onChange: (policy: string) => void;
}

export function Policy({ view, value, onChange }: PolicyProps) {
  return (
    <Radio.Group label="How often the run asks" size="sm" value={value} onChange={onChange}>
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
      label="Steps under way at once"
      labelElement="div"
      size="sm"
      description={
        value > 1
          ? "Steps go side by side that wait for none of the others and name different files. Their commands can write only there; what names no files, and every check, goes alone."
          : "One step after the other."
      }
    >
      <SegmentedControl
        mt={8}
        size="xs"
        aria-label="Steps under way at once"
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
            {count(git.dirty_count, "file")} with changes that no commit holds
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
            They stay as they are. What the run changes is told apart from them, and nothing is
            committed.
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
          label="Name of the branch"
          required
          value={branch}
          error={branch.trim() ? undefined : "A branch needs a name."}
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
    <div className={styles.notice} role="group" aria-label="Comments that were not sent">
      <p className={styles.noticeTitle}>
        {count === 1 ? "1 comment was not sent." : `${count} comments were not sent.`} What becomes
        of {count === 1 ? "it" : "them"}?
      </p>
      <p className={styles.ways}>
        <button type="button" className={styles.link} onClick={() => askApproval("notes")}>
          Write {count === 1 ? "it" : "them"} into the plan as notes…
        </button>
        <button type="button" className={styles.link} onClick={() => askApproval("changes")}>
          Request changes instead…
        </button>
      </p>
      <Checkbox
        size="xs"
        label={`Approve without ${count === 1 ? "it" : "them"}; kept with the plan, not sent`}
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
      <p className={styles.noticeTitle}>A run of this plan goes on already.</p>
      <p className={styles.dim}>
        There is one at a time: wait for it, or end it.{" "}
        <button
          type="button"
          className={styles.link}
          onClick={() => {
            closeApproval();
            showPanel("run", run);
          }}
        >
          Show it
        </button>
      </p>
    </div>
  );
}

/** Asking for changes instead of approving: the comments that go with it, and words for the plan as a whole. Nothing runs. */
import { Button, Textarea } from "@mantine/core";
import type { Outline } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { useRequestChanges } from "../../api/mutations";
import { useComments, useGone, useStart } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorState } from "../../components/States";
import { showToast } from "../../lib/toast";
import { showPanel } from "../run/panel";
import { shortRevision } from "../run/words";
import styles from "./Approve.module.css";
import { closeApproval } from "./open";

export function RequestDialog({ outline }: { outline: Outline }) {
  const { plan, revision } = outline;
  const field = useDraft(plan, "request", "", revision);
  const comments = useComments(plan);
  const request = useRequestChanges();
  const hasModel = useStart().data?.has_model ?? false;
  const unsent = (comments.data ?? []).filter((comment) => !comment.is_sent);
  const text = field.text.trim();
  const gone = useGone(plan);
  const isEmpty = !text && unsent.length === 0;
  const blocked =
    gone ?? (isEmpty ? "Say what should be changed, or comment on a step first." : null);
  return (
    <Dialog onClose={closeApproval} title="Request changes" size={560}>
      <div className={styles.body}>
        <p className={styles.dim}>
          The plan is marked “changes requested” at revision <code>{shortRevision(revision)}</code>.
          Nothing is approved and nothing runs.{" "}
          {hasModel
            ? "The model gets the comments and proposes a new revision."
            : "No model is set up: the comments are kept with the plan, for you or for one later."}
        </p>
        <Textarea
          label="What should be changed"
          description="For the plan as a whole; comments on steps go with it."
          autosize
          minRows={3}
          maxRows={10}
          dir="auto"
          data-autofocus
          value={field.text}
          onChange={(event) => field.set(event.currentTarget.value)}
        />
        {comments.isError ? (
          <ErrorState title="The comments cannot be read" error={comments.error} />
        ) : (
          unsent.length > 0 && (
            <section>
              <h3 className={styles.caption}>
                {unsent.length === 1
                  ? "1 COMMENT GOES WITH IT"
                  : `${unsent.length} COMMENTS GO WITH IT`}
              </h3>
              <ul className={styles.list}>
                {unsent.map((comment) => (
                  <li key={comment.id} dir="auto">
                    {comment.task && <span className={styles.id}>{comment.task} </span>}
                    {comment.text}
                  </li>
                ))}
              </ul>
            </section>
          )
        )}
      </div>
      <div className={styles.actions}>
        {blocked && <p className={styles.blocked}>{blocked}</p>}
        <Button variant="default" onClick={closeApproval}>
          Cancel
        </Button>
        <Button
          loading={request.isPending}
          aria-disabled={blocked !== null}
          data-disabled={blocked !== null || undefined}
          onClick={(event) => {
            if (blocked !== null || request.isPending || event.detail > 1) return;
            request.mutate(
              { plan, revision, text },
              {
                onSuccess: () => {
                  field.drop();
                  closeApproval();
                  showToast({ tone: "good", title: "Changes requested", message: "Nothing runs." });
                  if (hasModel) showPanel("talk");
                },
              },
            );
          }}
        >
          Request changes
        </Button>
      </div>
    </Dialog>
  );
}

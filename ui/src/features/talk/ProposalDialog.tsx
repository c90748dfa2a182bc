/** The text of a proposal, or a comparison with another revision. Nothing is approved here: only the current plan can be. */
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { TalkItem, TalkView } from "../../api/bindings";
import { useTalkProposal } from "../../api/talk";
import { Code } from "../../components/Code";
import { Dialog } from "../../components/Dialog";
import { ErrorState, Loading } from "../../components/States";
import { shortRevision } from "../../lib/revision";
import { words } from "../../words";
import { ComparisonView, type Shown } from "../history/ComparisonView";
import type { Opened } from "./ProposalRow";
import styles from "./Talk.module.css";

const w = words.talk.proposal;

interface ProposalDialogProps {
  item: Extract<TalkItem, { kind: "proposal" }>;
  index: number;
  talk: TalkView;
  opened: Opened;
  onClose: () => void;
}

export default function ProposalDialog({
  item,
  index,
  talk,
  opened,
  onClose,
}: ProposalDialogProps) {
  const title =
    opened.what === "compare"
      ? opened.title
      : item.revision
        ? w.nameAtRevision(item.number, shortRevision(item.revision))
        : w.name(item.number);
  return (
    <Dialog onClose={onClose} title={title} size={900}>
      {opened.what === "compare" ? (
        <Compared plan={talk.plan} from={opened.from} to={opened.to} />
      ) : (
        <Text session={talk.session} index={index} path={item.path} />
      )}
    </Dialog>
  );
}

function Compared({ plan, from, to }: { plan: string; from: string; to: string }) {
  const [shown, setShown] = useState<Shown>("tasks");
  return (
    <div className="pw-column pw-gap-12">
      <SegmentedControl
        size="xs"
        aria-label={w.compareAs}
        value={shown}
        onChange={(value) => setShown(value === "text" ? "text" : "tasks")}
        data={[
          { value: "tasks", label: w.compareSteps },
          { value: "text", label: w.compareText },
        ]}
      />
      <ComparisonView
        plan={plan}
        from={from}
        to={to}
        shown={shown}
        onShown={setShown}
        height={30}
      />
    </div>
  );
}

function Text({ session, index, path }: { session: string; index: number; path: string }) {
  const proposal = useTalkProposal(session, index);
  if (proposal.isError) {
    return (
      <ErrorState
        title={w.loadFailed}
        error={proposal.error}
        onRetry={() => void proposal.refetch()}
      />
    );
  }
  if (!proposal.data) return <Loading lines={8} label={w.loading} />;
  return (
    <div className="pw-column pw-gap-12">
      <p className={styles.dim}>{w.asProposed(<bdi>{path}</bdi>)}</p>
      <Code block lines={34} label={w.textLabel}>
        {proposal.data.text}
      </Code>
    </div>
  );
}

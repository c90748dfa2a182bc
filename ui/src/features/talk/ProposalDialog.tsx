/** A proposal as it was offered, or what it changed. Nothing is approved here: that is for the plan as it stands. */
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { TalkItem, TalkView } from "../../api/bindings";
import { useTalkProposal } from "../../api/talk";
import { Code } from "../../components/Code";
import { Dialog } from "../../components/Dialog";
import { ErrorState, Loading } from "../../components/States";
import { ComparisonView, type Shown } from "../history/ComparisonView";
import { shortRevision } from "../run/words";
import box from "./Composer.module.css";
import type { Opened } from "./ProposalRow";
import styles from "./Talk.module.css";

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
      : `Proposal ${item.number}${item.revision ? ` · ${shortRevision(item.revision)}` : ""}`;
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
    <div className={box.dialog}>
      <SegmentedControl
        size="xs"
        aria-label="Compare as"
        value={shown}
        onChange={(value) => setShown(value === "text" ? "text" : "tasks")}
        data={[
          { value: "tasks", label: "Tasks" },
          { value: "text", label: "Text" },
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
        title="The proposal cannot be shown"
        error={proposal.error}
        onRetry={() => void proposal.refetch()}
      />
    );
  }
  if (!proposal.data) return <Loading lines={8} label="Loading the proposal" />;
  return (
    <div className={box.dialog}>
      <p className={styles.dim}>
        <bdi>{path}</bdi> as it was offered then. The plan as it stands is in the outline.
      </p>
      <Code block lines={34} label="The proposal’s text">
        {proposal.data.text}
      </Code>
    </div>
  );
}

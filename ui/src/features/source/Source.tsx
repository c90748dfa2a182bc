/** The plan as text. The tab's body; knows which plan is open, and asks for its text once for each revision. */
import { useState } from "react";
import type { Outline, SourceView } from "../../api/bindings";
import { useOutline, useSource } from "../../api/queries";
import { usePlace } from "../../app/place";
import { ErrorState, Loading } from "../../components/States";
import { SourceEditor } from "./SourceEditor";

export default function SourceTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan);
  if (!plan || !outline.data) return <Loading lines={8} label="Loading the plan" />;
  return <PlanSource key={plan} outline={outline.data} />;
}

function PlanSource({ outline }: { outline: Outline }) {
  const source = useSource(outline.plan, outline.revision);
  // The editor stays while the text of a newer revision is fetched.
  const [last, setLast] = useState<SourceView | null>(null);
  const now = source.data ?? null;
  if (now && now !== last) setLast(now);
  const first = now ?? last;
  if (!first) {
    return source.isError ? (
      <ErrorState
        title="The text could not be read"
        error={source.error}
        onRetry={() => void source.refetch()}
      />
    ) : (
      <Loading lines={8} label="Loading the text" />
    );
  }
  return (
    <SourceEditor
      // A file that becomes writable, or ceases to be, gets another editor.
      key={String(first.is_writable)}
      outline={outline}
      first={first}
      now={now}
    />
  );
}

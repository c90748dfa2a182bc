/** The Source tab: loads the text of the open plan, once per revision. */
import { useState } from "react";
import type { Outline, SourceView } from "../../api/bindings";
import { useOutline, useSource } from "../../api/queries";
import { usePlace } from "../../app/place";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { SourceEditor } from "./SourceEditor";

export default function SourceTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan);
  if (!plan || !outline.data) return <Loading lines={8} label={words.source.loadingPlan} />;
  return <PlanSource key={plan} outline={outline.data} />;
}

function PlanSource({ outline }: { outline: Outline }) {
  const source = useSource(outline.plan, outline.revision);
  // The editor stays while the text of a newer revision is loading.
  const [last, setLast] = useState<SourceView | null>(null);
  const now = source.data ?? null;
  if (now && now !== last) setLast(now);
  const first = now ?? last;
  if (!first) {
    return source.isError ? (
      <ErrorState
        title={words.source.loadFailed}
        error={source.error}
        onRetry={() => void source.refetch()}
      />
    ) : (
      <Loading lines={8} label={words.source.loading} />
    );
  }
  return (
    <SourceEditor
      // Opens another editor when the file becomes writable or read-only.
      key={String(first.is_writable)}
      outline={outline}
      first={first}
      now={now}
    />
  );
}

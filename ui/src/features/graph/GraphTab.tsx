/** The graph tab: shows errors, an empty plan, or the canvas. */
import "@xyflow/react/dist/base.css";
import { Button } from "@mantine/core";
import { IconSitemap } from "@tabler/icons-react";
import { useGraph, useOutline } from "../../api/queries";
import { setPlace, usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { GraphCanvas } from "./GraphCanvas";

export default function GraphTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const graph = useGraph(plan, outline?.revision ?? null);
  if (graph.isError) {
    return (
      <ErrorState
        title={words.graph.errorTitle}
        error={graph.error}
        onRetry={() => void graph.refetch()}
      >
        <Button variant="default" onClick={() => setPlace({ view: "outline" })}>
          {words.graph.showOutline}
        </Button>
      </ErrorState>
    );
  }
  if (!plan || !outline || !graph.data) return <Loading lines={8} label={words.graph.loading} />;
  if (graph.data.nodes.length === 0) {
    return (
      <EmptyState icon={<IconSitemap size={28} />} title={words.graph.emptyTitle}>
        <p>{words.graph.emptyHint}</p>
        <Button variant="default" mt="sm" onClick={() => setPlace({ view: "outline" })}>
          {words.graph.showOutline}
        </Button>
      </EmptyState>
    );
  }
  return <GraphCanvas key={plan} outline={outline} view={graph.data} />;
}

/** The plan as a graph: what waits for what, what can run next. The tab's body; says what stands in its way, and leaves the drawing to the canvas. */
import "@xyflow/react/dist/base.css";
import { Button } from "@mantine/core";
import { IconSitemap } from "@tabler/icons-react";
import { useGraph, useOutline } from "../../api/queries";
import { setPlace, usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { GraphCanvas } from "./GraphCanvas";

export default function GraphTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const graph = useGraph(plan, outline?.revision ?? null);
  if (graph.isError) {
    return (
      <ErrorState
        title="The graph cannot be drawn"
        error={graph.error}
        onRetry={() => void graph.refetch()}
      >
        <Button variant="default" onClick={() => setPlace({ view: "outline" })}>
          Show the outline
        </Button>
      </ErrorState>
    );
  }
  if (!plan || !outline || !graph.data) return <Loading lines={8} label="Drawing the graph" />;
  if (graph.data.nodes.length === 0) {
    return (
      <EmptyState icon={<IconSitemap size={28} />} title="No steps yet">
        <p>A graph shows what waits for what. Add the first step in the outline.</p>
        <Button variant="default" mt="sm" onClick={() => setPlace({ view: "outline" })}>
          Show the outline
        </Button>
      </EmptyState>
    );
  }
  return <GraphCanvas key={plan} outline={outline} view={graph.data} />;
}

/** Puts the screen of the present place into the layout. */

import { EmptyState } from "../components/States";
import { Layout } from "./Layout";
import { usePlace } from "./place";

export function App() {
  const place = usePlace();
  return (
    <Layout
      at={`${place.screen}:${place.plan}`}
      header={<strong>Planwright</strong>}
      list={<EmptyState title="No plans yet" />}
      centre={<EmptyState title="What should be done?" />}
    />
  );
}

/** The line above a plan that was made here: who wrote it, at what cost, and a link to its route. */
import type { ReactNode } from "react";
import type { PlanRoute } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import { LinkButton } from "../../components/LinkButton";
import { OriginLine } from "../../components/OriginLine";
import { words } from "../../words";
import { showRoute } from "./open";
import styles from "./RouteLine.module.css";
import { routeCost, writerOf } from "./routeText";

const text = words.routes;

interface RouteWordsProps {
  route: PlanRoute;
  /** The revision on screen. “Weak plan” is shown only for the revision that was made. */
  revision: string;
  /** A button to have the plan rewritten. */
  children?: ReactNode;
}

export function RouteLine(props: RouteWordsProps) {
  return (
    <OriginLine>
      <RouteWords {...props} />
    </OriginLine>
  );
}

export function RouteWords({ route, revision, children }: RouteWordsProps) {
  const isAsMade = route.revision === revision;
  return (
    <>
      <span className="pw-break">
        {text.line.writtenBy} <bdi>{writerOf(route)}</bdi>
        {route.conversation && ` ${text.line.inConversation}`} · {routeCost(route)}
      </span>
      <LinkButton onClick={showRoute}>{text.why}</LinkButton>
      {children}
      {isAsMade && route.weakness && (
        <span className={styles.label}>
          <Chip tone="warn">{text.weakPlan}</Chip>{" "}
          <span>
            <Inline>{route.weakness}</Inline>
          </span>
        </span>
      )}
      {route.fallback && (
        <span className={styles.label}>
          <Chip tone="warn">{text.fallback}</Chip>{" "}
          <span>
            <Inline>{route.fallback}</Inline>
          </span>
        </span>
      )}
    </>
  );
}

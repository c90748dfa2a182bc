/** One quiet line over a plan that was made here: what wrote it, what that took, and the way to the reasons. */
import type { ReactNode } from "react";
import type { PlanRoute } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import { LinkButton } from "../../components/LinkButton";
import { OriginLine } from "../../components/OriginLine";
import { showRoute } from "./open";
import styles from "./RouteLine.module.css";
import { routeCost, writerOf } from "./words";

interface RouteWordsProps {
  route: PlanRoute;
  /** The revision on screen: once it is another one than was made, nothing is said of its worth. */
  revision: string;
  /** The way to have another one write the plan. */
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
      <span className={styles.made}>
        Written by <bdi>{writerOf(route)}</bdi>
        {route.conversation && " in a conversation"} · {routeCost(route)}
      </span>
      <LinkButton onClick={showRoute}>Why this route</LinkButton>
      {children}
      {isAsMade && route.weakness && (
        <span className={styles.label}>
          <Chip tone="warn">Weak plan</Chip>{" "}
          <span>
            <Inline>{route.weakness}</Inline>
          </span>
        </span>
      )}
      {route.fallback && (
        <span className={styles.label}>
          <Chip tone="warn">Fallback</Chip>{" "}
          <span>
            <Inline>{route.fallback}</Inline>
          </span>
        </span>
      )}
    </>
  );
}

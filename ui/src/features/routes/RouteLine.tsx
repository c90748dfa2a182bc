/** One quiet line over a plan that was made here: what wrote it, what that took, and the way to the reasons. */
import type { PlanRoute } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import { LinkButton } from "../../components/LinkButton";
import { OriginLine } from "../../components/OriginLine";
import { showRoute } from "./open";
import styles from "./RouteLine.module.css";
import { madeBy, routeCost, whyWeak } from "./words";

interface RouteWordsProps {
  route: PlanRoute;
  /** The revision on screen: once it is another one than was made, nothing is said of its worth. */
  revision: string;
}

export function RouteLine(props: RouteWordsProps) {
  return (
    <OriginLine>
      <RouteWords {...props} />
    </OriginLine>
  );
}

export function RouteWords({ route, revision }: RouteWordsProps) {
  const { solver, model } = madeBy(route);
  const isWeak = route.is_weak && route.revision === revision;
  return (
    <>
      <span className={styles.made}>
        Made by <code>{solver}</code>
        {model && (
          <>
            {" "}
            with <bdi>{model}</bdi>
          </>
        )}{" "}
        · {routeCost(route)}
      </span>
      <LinkButton onClick={showRoute}>Why this route</LinkButton>
      {isWeak && (
        <span className={styles.label}>
          <Chip tone="warn">Weak plan</Chip>{" "}
          <span>
            <Inline>{whyWeak(route)}</Inline>
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

/** The attempts to make a plan, one line for each plugin: its result, the reason, and its cost. */
import { Fragment } from "react";
import type { RouteStep } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import styles from "./RouteSteps.module.css";
import { kindWords, statusWords, stepCost } from "./routeText";

export function RouteSteps({ steps, label }: { steps: RouteStep[]; label: string }) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, at) => {
        const cost = stepCost(step);
        const before = steps[at - 1]?.planner;
        const faults = step.faults > 0 ? words.routes.step.unreadable(step.faults) : "";
        return (
          <Fragment key={step.number}>
            {before !== undefined && before !== step.planner && (
              <li className={styles.planner}>
                {words.routes.step.thenBy} <code>{step.planner}</code>
              </li>
            )}
            <li className={styles.step} data-status={step.status}>
              <span className={styles.dot} aria-hidden />
              <code className={styles.plugin} title={kindWords(step.kind)}>
                {step.plugin}
              </code>
              <span className={styles.how}>
                <span className={styles.status}>{statusWords(step.status)}</span>
                {step.why && (
                  <>
                    : <Inline>{step.why}</Inline>
                  </>
                )}
                {faults && ` · ${faults}`}
              </span>
              {cost && <span className={styles.cost}>{cost}</span>}
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}

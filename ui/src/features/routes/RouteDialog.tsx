/** Why the plan was made this way: the reasons, what was tried, the order of each stage term by term, and what was read. */
import { Button } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import type { PlanRoute, RouteCandidate, RouteKnowledge, RouteStage } from "../../api/bindings";
import { usePlanRoute } from "../../api/routes";
import { Chip } from "../../components/Chip";
import { Dialog } from "../../components/Dialog";
import { Exact } from "../../components/Exact";
import { Inline } from "../../components/Inline";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { count, when } from "../run/words";
import { isRouteShown } from "./open";
import styles from "./RouteDialog.module.css";
import { RouteSteps } from "./RouteSteps";
import { bytes, effortTitle, kindWords, madeBy, requestWords, score, signed, took } from "./words";

export function RouteDialog({ plan }: { plan: string }) {
  const route = usePlanRoute(plan);
  const close = () => isRouteShown.set(false);
  return (
    <Dialog
      onClose={close}
      title="Why this route"
      size={760}
      actions={
        <Button variant="default" data-autofocus onClick={close}>
          Close
        </Button>
      }
    >
      {route.isError ? (
        <ErrorState
          title="How the plan came to be cannot be shown"
          error={route.error}
          onRetry={() => void route.refetch()}
        />
      ) : route.data ? (
        <Route route={route.data} />
      ) : route.isSuccess ? (
        <EmptyState title="Nothing is known of it">
          The plan was not made here for a goal, or before its route was kept.
        </EmptyState>
      ) : (
        <Loading label="Reading how the plan came to be" />
      )}
    </Dialog>
  );
}

function Route({ route }: { route: PlanRoute }) {
  const { solver, model } = madeBy(route);
  const tokens = route.tokens > 0 ? `, ${count(route.tokens, "token")}` : "";
  const planners = [...new Set(route.stages.map((stage) => stage.planner))];
  return (
    <div className={styles.route}>
      <p className={styles.lead}>
        <code>{solver}</code>
        {model && ` with ${model}`} wrote it, {when(route.at_ms)}. Effort{" "}
        {effortTitle(route.effort)}; {took(route.ms)}, {requestWords(route.requests)}
        {tokens}.
      </p>
      {route.weakness && (
        <p className={styles.label}>
          <Chip tone="warn">Weak plan</Chip>{" "}
          <span>
            <Inline>{route.weakness}</Inline>
          </span>
        </p>
      )}
      {route.fallback && (
        <p className={styles.label}>
          <Chip tone="warn">Fallback</Chip>{" "}
          <span>
            <Inline>{route.fallback}</Inline>
          </span>
        </p>
      )}
      <section aria-labelledby="route-reasons">
        <h3 id="route-reasons" className={styles.caption}>
          Reasons
        </h3>
        {route.reasons.length > 0 ? (
          <ul className={styles.reasons}>
            {route.reasons.map((reason) => (
              <li key={reason}>
                <Inline>{reason}</Inline>
              </li>
            ))}
          </ul>
        ) : (
          <p className={styles.dim}>Nothing spoke against the usual order: cheap ones first.</p>
        )}
      </section>
      <section aria-labelledby="route-tried">
        <h3 id="route-tried" className={styles.caption}>
          What was tried
        </h3>
        {route.steps.length > 0 ? (
          <RouteSteps steps={route.steps} label="What was tried" />
        ) : (
          <p className={styles.dim}>No step was kept.</p>
        )}
      </section>
      <section aria-labelledby="route-order">
        <h3 id="route-order" className={styles.caption}>
          The order, and what it comes from
        </h3>
        {planners.length === 0 && <p className={styles.dim}>No order was kept.</p>}
        {planners.map((planner) => (
          <details key={planner} className={styles.planner} open={planner === route.planner}>
            <summary>
              <code>{planner}</code>
              {planner !== route.planner && (
                <span className={styles.dim}> · the plan did not come from it</span>
              )}
            </summary>
            {route.stages
              .filter((stage) => stage.planner === planner)
              .map((stage) => (
                <Stage
                  key={stage.kind}
                  stage={stage}
                  used={planner === route.planner ? usedIn(route, stage.kind) : null}
                />
              ))}
          </details>
        ))}
      </section>
      <section aria-labelledby="route-read">
        <h3 id="route-read" className={styles.caption}>
          What was read
        </h3>
        {route.knowledge.length > 0 ? (
          route.knowledge.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two planners may ask the same source
            <Knowledge key={at} knowledge={one} />
          ))
        ) : (
          <p className={styles.dim}>Nothing of the folder was read.</p>
        )}
      </section>
    </div>
  );
}

/** The plugin of that kind whose work is in the plan. */
function usedIn(route: PlanRoute, kind: string): string | null {
  return { detector: route.detector, kb: route.kb, solver: route.solver }[kind] ?? null;
}

function Stage({ stage, used }: { stage: RouteStage; used: string | null }) {
  return (
    <div className={styles.stage}>
      <h4 className={styles.stageName}>
        {kindWords(stage.kind)}
        {stage.is_pinned && <Chip tone="accent">pinned</Chip>}
      </h4>
      {stage.notes.map((note) => (
        <p key={note} className={styles.dim}>
          <Inline>{note}</Inline>
        </p>
      ))}
      {stage.candidates.length > 0 ? (
        <ol className={styles.candidates} aria-label={`Order: ${kindWords(stage.kind)}`}>
          {stage.candidates.map((one, at) => (
            <li key={one.plugin}>
              <Candidate candidate={one} place={at + 1} isUsed={one.plugin === used} />
            </li>
          ))}
        </ol>
      ) : (
        <p className={styles.dim}>None could be tried.</p>
      )}
    </div>
  );
}

interface CandidateProps {
  candidate: RouteCandidate;
  place: number;
  isUsed: boolean;
}

function Candidate({ candidate, place, isUsed }: CandidateProps) {
  const { plugin, description, terms } = candidate;
  return (
    <details className={styles.candidate}>
      <summary>
        <IconChevronRight size={13} className={styles.arrow} aria-hidden />
        <span className={styles.place}>{place}</span>
        <code className={styles.plugin}>{plugin}</code>
        {isUsed && <span className={styles.used}>used</span>}
        <span className={styles.score}>
          <span className="pw-sr">score </span>
          {score(candidate.score)}
        </span>
      </summary>
      <div className={styles.terms}>
        {description && <p className={styles.dim}>{description}</p>}
        {terms.length > 0 ? (
          <table className={styles.table}>
            <thead className="pw-sr">
              <tr>
                <th scope="col">Term</th>
                <th scope="col">Adds</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {terms.map((term, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two terms may have one name
                <tr key={at}>
                  <th scope="row">{term.name}</th>
                  <td data-number>{signed(term.value)}</td>
                  <td>
                    <Inline>{term.why}</Inline>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className={styles.dim}>Nothing speaks for it or against it.</p>
        )}
      </div>
    </details>
  );
}

function Knowledge({ knowledge }: { knowledge: RouteKnowledge }) {
  const { plugin, files, cut, offered, known, is_sufficient: isEnough, why } = knowledge;
  return (
    <div className={styles.read}>
      <p className={styles.source}>
        <code>{plugin}</code>{" "}
        <Chip tone={isEnough ? "good" : "plain"}>{isEnough ? "enough" : "not enough"}</Chip>{" "}
        <span className={styles.dim}>
          {count(files, "file")} looked at, {bytes(knowledge.bytes)} of text read,{" "}
          {took(knowledge.ms)}
          {why && (
            <>
              {" "}
              · <Inline>{why}</Inline>
            </>
          )}
        </span>
      </p>
      <p className={styles.dim}>
        {cut.length > 0 ? `Left out: ${cut.join("; ")}` : "Nothing was left out."}
      </p>
      {offered.length > 0 && (
        <details>
          <summary>{count(offered.length, "file")} offered</summary>
          <ol className={styles.list}>
            {offered.map((file) => (
              <li key={file.path}>
                <Exact>{file.path}</Exact> <span className={styles.dim}>{file.reason}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
      {known.length > 0 && (
        <details>
          <summary>
            {known.length === 1
              ? "1 thing known from earlier runs"
              : `${known.length} things known from earlier runs`}
          </summary>
          <ul className={styles.list}>
            {known.map((thing, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a route never changes its order
              <li key={at}>
                <span dir="auto">{thing.text}</span>{" "}
                <span className={styles.dim}>{thing.provenance}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

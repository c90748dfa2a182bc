/** The dialog with a plan's route: the reasons, the attempts, the candidates of each stage with their scores, and the sources that were read. */
import { Button } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import type { PlanRoute, RouteCandidate, RouteKnowledge, RouteStage } from "../../api/bindings";
import { usePlanRoute } from "../../api/routes";
import { Chip } from "../../components/Chip";
import { Dialog } from "../../components/Dialog";
import { Exact } from "../../components/Exact";
import { Inline } from "../../components/Inline";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { when } from "../../lib/time";
import { words } from "../../words";
import { isRouteShown } from "./open";
import styles from "./RouteDialog.module.css";
import { RouteSteps } from "./RouteSteps";
import {
  bytes,
  effortTitle,
  kindWords,
  madeBy,
  requestWords,
  score,
  signed,
  took,
} from "./routeText";

const text = words.routes.dialog;

export function RouteDialog({ plan }: { plan: string }) {
  const route = usePlanRoute(plan);
  const close = () => isRouteShown.set(false);
  return (
    <Dialog
      onClose={close}
      title={words.routes.why}
      size={760}
      actions={
        <Button variant="default" data-autofocus onClick={close}>
          {text.close}
        </Button>
      }
    >
      {route.isError ? (
        <ErrorState
          title={text.errorTitle}
          error={route.error}
          onRetry={() => void route.refetch()}
        />
      ) : route.data ? (
        <Route route={route.data} />
      ) : route.isSuccess ? (
        <EmptyState title={text.emptyTitle}>{text.emptyHint}</EmptyState>
      ) : (
        <Loading label={text.loading} />
      )}
    </Dialog>
  );
}

function Route({ route }: { route: PlanRoute }) {
  const { solver, model } = madeBy(route);
  const facts = text.facts({
    model,
    when: when(route.at_ms),
    effort: effortTitle(route.effort),
    time: took(route.ms),
    requests: requestWords(route.requests),
    tokens: route.tokens > 0 ? words.routes.forecast.tokens(route.tokens) : null,
  });
  const planners = [...new Set(route.stages.map((stage) => stage.planner))];
  return (
    <div className={styles.route}>
      <p className={styles.lead}>
        {words.routes.line.writtenBy} <code>{solver}</code>
        {facts}
      </p>
      {route.weakness && (
        <p className={styles.label}>
          <Chip tone="warn">{words.routes.weakPlan}</Chip>{" "}
          <span>
            <Inline>{route.weakness}</Inline>
          </span>
        </p>
      )}
      {route.fallback && (
        <p className={styles.label}>
          <Chip tone="warn">{words.routes.fallback}</Chip>{" "}
          <span>
            <Inline>{route.fallback}</Inline>
          </span>
        </p>
      )}
      <section aria-labelledby="route-reasons">
        <h3 id="route-reasons" className={styles.caption}>
          {text.reasons}
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
          <p className={styles.dim}>{text.noReasons}</p>
        )}
      </section>
      <section aria-labelledby="route-tried">
        <h3 id="route-tried" className={styles.caption}>
          {words.routes.attempts}
        </h3>
        {route.steps.length > 0 ? (
          <RouteSteps steps={route.steps} label={words.routes.attempts} />
        ) : (
          <p className={styles.dim}>{text.noAttempts}</p>
        )}
      </section>
      <section aria-labelledby="route-order">
        <h3 id="route-order" className={styles.caption}>
          {text.order}
        </h3>
        {planners.length === 0 && <p className={styles.dim}>{text.noOrder}</p>}
        {planners.map((planner) => (
          <details key={planner} className={styles.planner} open={planner === route.planner}>
            <summary>
              <code>{planner}</code>
              {planner !== route.planner && (
                <span className={styles.dim}> · {text.unusedPlanner}</span>
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
          {text.read}
        </h3>
        {route.knowledge.length > 0 ? (
          route.knowledge.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two planners may ask the same source
            <Knowledge key={at} knowledge={one} />
          ))
        ) : (
          <p className={styles.dim}>{text.nothingRead}</p>
        )}
      </section>
    </div>
  );
}

/** The plugin of a kind that was used for the plan. */
function usedIn(route: PlanRoute, kind: string): string | null {
  return { detector: route.detector, kb: route.kb, solver: route.solver }[kind] ?? null;
}

function Stage({ stage, used }: { stage: RouteStage; used: string | null }) {
  return (
    <div className={styles.stage}>
      <h4 className={styles.stageName}>
        {kindWords(stage.kind)}
        {stage.is_pinned && <Chip tone="accent">{text.pinned}</Chip>}
      </h4>
      {stage.notes.map((note) => (
        <p key={note} className={styles.dim}>
          <Inline>{note}</Inline>
        </p>
      ))}
      {stage.candidates.length > 0 ? (
        <ol className={styles.candidates} aria-label={text.orderOf(kindWords(stage.kind))}>
          {stage.candidates.map((one, at) => (
            <li key={one.plugin}>
              <Candidate candidate={one} place={at + 1} isUsed={one.plugin === used} />
            </li>
          ))}
        </ol>
      ) : (
        <p className={styles.dim}>{text.noCandidates}</p>
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
        <span className="pw-dim pw-numbers">{place}</span>
        <code className={styles.plugin}>{plugin}</code>
        {isUsed && <span className={styles.used}>{text.used}</span>}
        <span className={styles.score}>
          <span className="pw-sr">{text.score} </span>
          {score(candidate.score)}
        </span>
      </summary>
      <div className={styles.terms}>
        {description && <p className={styles.dim}>{description}</p>}
        {terms.length > 0 ? (
          <table className={styles.table}>
            <thead className="pw-sr">
              <tr>
                <th scope="col">{text.factor}</th>
                <th scope="col">{text.adds}</th>
                <th scope="col">{text.why}</th>
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
          <p className={styles.dim}>{text.noFactors}</p>
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
        <Chip tone={isEnough ? "good" : "plain"}>{isEnough ? text.enough : text.notEnough}</Chip>{" "}
        <span className={styles.dim}>
          {text.readFacts(files, bytes(knowledge.bytes), took(knowledge.ms))}
          {why && (
            <>
              {" "}
              · <Inline>{why}</Inline>
            </>
          )}
        </span>
      </p>
      <p className={styles.dim}>{cut.length > 0 ? text.leftOut(cut) : text.nothingLeftOut}</p>
      {offered.length > 0 && (
        <details>
          <summary>{text.offered(offered.length)}</summary>
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
          <summary>{text.known(known.length)}</summary>
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

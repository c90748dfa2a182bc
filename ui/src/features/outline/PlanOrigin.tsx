/**
 * The origin of the plan, and the alternatives. While the plan is unedited it can be rewritten: without its template,
 * by the model instead of rules, or by rules instead of the model. Undo restores it.
 */
import type { Outline, PlanRoute } from "../../api/bindings";
import { useModels } from "../../api/models";
import { useCancelPlanning } from "../../api/mutations";
import { usePlanOrigin } from "../../api/queries";
import { usePlanRoute } from "../../api/routes";
import { LinkButton } from "../../components/LinkButton";
import { TemplateLine } from "../../components/TemplateLine";
import { words } from "../../words";
import { RouteLine, RouteWords } from "../routes/RouteLine";
import { isByRules } from "../routes/routeText";
import { type Rewrite, useRewrite } from "./useRewrite";

const t = words.outline.origin;

export function PlanOrigin({ outline }: { outline: Outline }) {
  const { plan, revision } = outline;
  const origin = usePlanOrigin(plan).data;
  const route = usePlanRoute(plan).data;
  const rewrite = useRewrite(plan, revision);
  // Once the plan is edited, the origin of the earlier revision no longer applies.
  const isUnedited = outline.is_writable && origin?.revision === revision;
  const other = isUnedited && route && <OtherWriter route={route} rewrite={rewrite} />;
  const template = isUnedited ? origin.template : null;
  if (!template) {
    return route ? (
      <RouteLine route={route} revision={revision}>
        {other}
      </RouteLine>
    ) : null;
  }
  return (
    <TemplateLine
      name={template.name}
      reason={template.reason}
      took={template.took}
      label={rewrite.by === "steps" ? t.rewriting : t.rewriteWithoutTemplate}
      isBusy={rewrite.by !== null}
      onClick={() => rewrite.start("steps", t.rewrittenWithoutTemplate(template.name))}
    >
      {route && (
        <RouteWords route={route} revision={revision}>
          {other}
        </RouteWords>
      )}
    </TemplateLine>
  );
}

/** Offers to rewrite the plan with the other writer: rules instead of the model, or the model, if one is connected, instead of rules. */
function OtherWriter({ route, rewrite }: { route: PlanRoute; rewrite: Rewrite }) {
  const model = useModels().data?.in_force?.model;
  const { mutate: cancel } = useCancelPlanning();
  if (rewrite.by === "model") {
    return (
      <>
        <span role="status">{t.rewritingWithModel(model)}</span>
        <LinkButton onClick={() => cancel(rewrite.job)}>{t.cancel}</LinkButton>
      </>
    );
  }
  const isBusy = rewrite.by !== null;
  if (!isByRules(route)) {
    return (
      <LinkButton disabled={isBusy} onClick={() => rewrite.start("rules", t.rewrittenWithRules)}>
        {t.rewriteWithRules}
      </LinkButton>
    );
  }
  return model ? (
    <LinkButton
      disabled={isBusy}
      onClick={() => rewrite.start("model", t.rewrittenWithModel(model))}
    >
      {t.rewriteWithModel(model)}
    </LinkButton>
  ) : null;
}

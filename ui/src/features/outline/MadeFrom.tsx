/** How the plan came to be, and the other ways to it. While it is still as it was made, a template can be refused, and the model can write what rules wrote, or rules what the model wrote; one step of undo brings the plan back. */
import type { Outline, PlanRoute } from "../../api/bindings";
import { useModels } from "../../api/models";
import { useCancelPlanning } from "../../api/mutations";
import { usePlanOrigin } from "../../api/queries";
import { usePlanRoute } from "../../api/routes";
import { LinkButton } from "../../components/LinkButton";
import { TemplateLine } from "../../components/TemplateLine";
import { RouteLine, RouteWords } from "../routes/RouteLine";
import { isByRules } from "../routes/words";
import { type Anew, useAnew } from "./useAnew";

export function MadeFrom({ outline }: { outline: Outline }) {
  const { plan, revision } = outline;
  const origin = usePlanOrigin(plan).data;
  const route = usePlanRoute(plan).data;
  const anew = useAnew(plan, revision);
  // An answer of an earlier revision says nothing about this one.
  const isAsMade = outline.is_writable && origin?.revision === revision;
  const other = isAsMade && route && <OtherWriter route={route} anew={anew} />;
  const template = isAsMade ? origin.template : null;
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
      label={anew.by === "steps" ? "Making it anew…" : "Make it without the template"}
      isBusy={anew.by !== null}
      onClick={() => anew.make("steps", `Made anew without the template ${template.name}`)}
    >
      {route && (
        <RouteWords route={route} revision={revision}>
          {other}
        </RouteWords>
      )}
    </TemplateLine>
  );
}

/** Who else could write the plan; nobody, where rules wrote it and no model is connected. */
function OtherWriter({ route, anew }: { route: PlanRoute; anew: Anew }) {
  const model = useModels().data?.in_force?.model;
  const { mutate: cancel } = useCancelPlanning();
  if (anew.by === "model") {
    return (
      <>
        <span role="status">{model ?? "The model"} is writing it…</span>
        <LinkButton onClick={() => cancel(anew.job)}>Cancel</LinkButton>
      </>
    );
  }
  const isBusy = anew.by !== null;
  if (!isByRules(route)) {
    return (
      <LinkButton
        disabled={isBusy}
        onClick={() => anew.make("rules", "Rewritten with templates and rules")}
      >
        Rewrite with templates and rules
      </LinkButton>
    );
  }
  return model ? (
    <LinkButton disabled={isBusy} onClick={() => anew.make("model", `Rewritten with ${model}`)}>
      Rewrite with {model}
    </LinkButton>
  ) : null;
}

/** How the plan came to be. While it is still as it was made, a template that fired can be refused, and the plan is made anew without it; one step of undo brings it back. */
import type { Outline } from "../../api/bindings";
import { useWithoutTemplate } from "../../api/mutations";
import { usePlanOrigin } from "../../api/queries";
import { usePlanRoute } from "../../api/routes";
import { TemplateLine } from "../../components/TemplateLine";
import { RouteLine, RouteWords } from "../routes/RouteLine";
import { useSend } from "./useSend";

export function MadeFrom({ outline }: { outline: Outline }) {
  const { plan, revision } = outline;
  const origin = usePlanOrigin(plan).data;
  const route = usePlanRoute(plan).data;
  const again = useWithoutTemplate();
  const { offerUndo } = useSend(plan);
  const template = origin?.template;
  // An answer of an earlier revision says nothing about this one.
  if (!template || origin.revision !== revision || !outline.is_writable) {
    return route ? <RouteLine route={route} revision={revision} /> : null;
  }
  const refuse = () =>
    again.mutate(
      { plan, seen: revision },
      {
        onSuccess: (outcome) => {
          if (outcome.outcome === "written") {
            offerUndo(`Made anew without the template ${template.name}`, outcome.revision);
          }
        },
      },
    );
  return (
    <TemplateLine
      name={template.name}
      reason={template.reason}
      took={template.took}
      label={again.isPending ? "Making it anew…" : "Make it without the template"}
      isBusy={again.isPending}
      onClick={refuse}
    >
      {route && <RouteWords route={route} revision={revision} />}
    </TemplateLine>
  );
}

/** The rules that “always here” could make, each with its text as it will be written. */
import type { GivenAnswer, RuleOffer } from "../../../api/bindings";
import { visibleText } from "../../../components/exactText";

const titles: Record<string, string> = {
  exact: "Always allow exactly this here",
  prefix: "Always allow what begins like this here",
};

export function ruleChoices(
  rules: RuleOffer[],
  disabled: boolean,
  give: (answer: GivenAnswer) => void,
) {
  return rules.map((rule) => ({
    id: `${rule.kind}:${rule.text}`,
    title: titles[rule.kind] ?? "Always allow here",
    consequence: `Writes the rule “${rule.kind} ${visibleText(rule.text)}” for this workspace; Remove it in Settings.`,
    disabled,
    onClick: () => give({ answer: "allow_always", rule }),
  }));
}

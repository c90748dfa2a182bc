/** The choices of “Always allow”: each adds a rule, shown as it will be written. */
import type { GivenAnswer, RuleOffer } from "../../../api/bindings";
import { visibleText } from "../../../components/exactText";
import { words } from "../../../words";

export function ruleChoices(
  rules: RuleOffer[],
  disabled: boolean,
  submit: (answer: GivenAnswer) => void,
) {
  return rules.map((rule) => ({
    id: `${rule.kind}:${rule.text}`,
    title: words.runCards.rules.titles[rule.kind] ?? words.runCards.rules.other,
    consequence: words.runCards.rules.consequence(`${rule.kind} ${visibleText(rule.text)}`),
    disabled,
    onClick: () => submit({ answer: "allow_always", rule }),
  }));
}

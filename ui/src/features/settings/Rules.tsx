/** The permission rules that apply here, each with its origin. All can be revoked except those in a workspace's file. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { RuleView } from "../../api/bindings";
import { useRevokeRule } from "../../api/mutations";
import { Chip } from "../../components/Chip";
import { Code } from "../../components/Code";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { words } from "../../words";
import styles from "./Rules.module.css";

const text = words.settings.rules;

const tones = { allow: "good", deny: "bad", ask: "warn" } as const;

/** Describes where a rule comes from. */
function origin(rule: RuleView): string {
  switch (rule.from) {
    case "settings":
      return text.fromUser(rule.place);
    case "workspace":
      return text.fromWorkspace(rule.place);
    default:
      return rule.at_ms === null
        ? text.fromAnswer(rule.place)
        : text.fromAnswerSince(rule.place, new Date(rule.at_ms).toLocaleDateString());
  }
}

export function Rules({ rules }: { rules: RuleView[] }) {
  const { mutate: revoke, isPending } = useRevokeRule();
  const [revoking, setRevoking] = useState<RuleView | null>(null);
  if (rules.length === 0) return <p className="pw-hint">{text.none}</p>;
  return (
    <>
      <ul className="pw-list">
        {rules.map((rule) => (
          <li key={rule.id} className={styles.row}>
            <Chip tone={tones[rule.answer as keyof typeof tones] ?? "plain"}>
              {text.answers[rule.answer] ?? rule.answer}
            </Chip>
            <div className={styles.text}>
              <p>
                {rule.kind === "prefix" ? text.prefix(rule.tool) : text.exact(rule.tool)}{" "}
                <Code>{rule.text}</Code>
              </p>
              <p className={styles.where}>{origin(rule)}</p>
            </div>
            {rule.is_revocable && (
              <Button
                variant="default"
                size="xs"
                onClick={() => setRevoking(rule)}
                aria-label={text.revokeLabel(rule.text)}
              >
                {text.revoke}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={revoking !== null}
        title={text.confirmTitle}
        confirm={text.confirm}
        busy={isPending}
        onClose={() => setRevoking(null)}
        onConfirm={() => revoking && revoke(revoking.id, { onSettled: () => setRevoking(null) })}
      >
        <Code block label={text.rule}>
          {revoking?.text ?? ""}
        </Code>
        <p>{text.confirmMessage}</p>
      </ConfirmDialog>
    </>
  );
}

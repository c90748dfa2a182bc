/** The permission rules in force here, with where each came from; all but those of a workspace's file are revocable. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { RuleView } from "../../api/bindings";
import { useRevokeRule } from "../../api/mutations";
import { Chip } from "../../components/Chip";
import { Code } from "../../components/Code";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import styles from "./Rules.module.css";

const tones = { allow: "good", deny: "bad", ask: "warn" } as const;

/** Where a rule came from, in words. */
function origin(rule: RuleView): string {
  switch (rule.from) {
    case "settings":
      return `from your settings, ${rule.place}`;
    case "workspace":
      return `from this workspace, ${rule.place}; take it out of that file`;
    default:
      return `“always here” in ${rule.place}${
        rule.at_ms === null ? "" : `, since ${new Date(rule.at_ms).toLocaleDateString()}`
      }`;
  }
}

export function Rules({ rules }: { rules: RuleView[] }) {
  const { mutate: revoke, isPending } = useRevokeRule();
  const [asked, setAsked] = useState<RuleView | null>(null);
  if (rules.length === 0) {
    return (
      <p className={styles.none}>
        None. “Always here” on a permission card makes one, and it is listed here.
      </p>
    );
  }
  return (
    <>
      <ul className={styles.list}>
        {rules.map((rule) => (
          <li key={rule.id} className={styles.row}>
            <Chip tone={tones[rule.answer as keyof typeof tones] ?? "plain"}>{rule.answer}</Chip>
            <div className={styles.text}>
              <p>
                {rule.tool} {rule.kind === "prefix" ? "beginning with" : "exactly"}{" "}
                <Code>{rule.text}</Code>
              </p>
              <p className={styles.where}>{origin(rule)}</p>
            </div>
            {rule.is_revocable && (
              <Button
                variant="default"
                size="xs"
                onClick={() => setAsked(rule)}
                aria-label={`Revoke the rule for ${rule.text}`}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={asked !== null}
        title="Revoke this rule?"
        confirm="Revoke it"
        busy={isPending}
        onClose={() => setAsked(null)}
        onConfirm={() => asked && revoke(asked.id, { onSettled: () => setAsked(null) })}
      >
        <Code block label="The rule">
          {asked?.text ?? ""}
        </Code>
        <p>From then on it is asked about again, in runs that go on too.</p>
      </ConfirmDialog>
    </>
  );
}

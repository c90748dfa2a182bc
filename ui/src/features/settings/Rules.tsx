/** The rules made with “always here”, each revocable. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { RuleView } from "../../api/bindings";
import { useRevokeRule } from "../../api/mutations";
import { Chip } from "../../components/Chip";
import { Code } from "../../components/Code";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import styles from "./Rules.module.css";

const tones = { allow: "good", deny: "bad", ask: "warn" } as const;

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
              <p className={styles.where}>
                in {rule.workspace}, since {new Date(rule.at_ms).toLocaleDateString()}
              </p>
            </div>
            <Button
              variant="default"
              size="xs"
              onClick={() => setAsked(rule)}
              aria-label={`Revoke the rule for ${rule.text}`}
            >
              Revoke
            </Button>
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

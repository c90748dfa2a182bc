/** The bar at the bottom: score, findings, revision and steps of the open plan, and a primary button with a menu of the other verbs. */
import { Button, Tooltip } from "@mantine/core";
import { IconChevronUp } from "@tabler/icons-react";
import { useMemo } from "react";
import { useOutline } from "../../api/queries";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { MenuButton } from "../../components/MenuButton";
import { Shield } from "../../components/Shield";
import { writeClipboard } from "../../lib/clipboard";
import { keyWords } from "../../lib/keyText";
import { useStore } from "../../lib/store";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { showFindings } from "../findings/showFindings";
import styles from "./Bar.module.css";
import { arrange, verbs } from "./verbs";

/** Number of digits of a revision that are shown. The backend accepts prefixes of this length. */
const shownDigits = 12;

export function Bar() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const list = useStore(verbs);
  const { primary, menu, beside } = useMemo(() => arrange(list), [list]);
  const revision = outline?.revision ?? null;
  const shortRevision = revision?.slice(0, shownDigits) ?? "";

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "bar.primary",
          title: primary?.title ?? words.bar.primaryAction,
          group: "plan",
          keys: "mod+Enter",
          when: () => primary !== null && !primary.disabled,
          run: () => primary?.run(),
        },
        {
          id: "bar.copyRevision",
          title: words.bar.copyRevision,
          group: "plan",
          keys: "y r",
          when: () => revision !== null,
          run: () => revision && copy(revision),
        },
      ],
      [primary, revision],
    ),
  );

  const choices = menu.map((verb) => ({
    id: verb.id,
    title: verb.title,
    consequence: verb.disabled ?? verb.consequence,
    icon: verb.icon ? <verb.icon size={16} /> : undefined,
    keys: verb.keys,
    danger: verb.danger,
    disabled: verb.disabled !== undefined,
    onClick: verb.run,
  }));

  return (
    <div className={styles.bar}>
      <div className={styles.state}>
        {outline && (
          <>
            <Shield badge={outline.badge} show="text" size={22} />
            <span className="pw-dim pw-nowrap">
              <button type="button" className={styles.fact} onClick={showFindings}>
                {words.bar.findings(outline.badge.findings)}
              </button>
              <span aria-hidden> · </span>
              <Tooltip label={words.bar.copyRevisionTooltip}>
                <button
                  type="button"
                  className={styles.fact}
                  onClick={() => copy(outline.revision)}
                  aria-label={words.bar.copyRevisionLabel(shortRevision)}
                >
                  {words.bar.revision(shortRevision)}
                </button>
              </Tooltip>
              <span aria-hidden> · </span>
              <span>{words.bar.steps(outline.done, outline.total)}</span>
            </span>
          </>
        )}
      </div>
      <div className={styles.verbs}>
        {beside.map((verb) => (
          <Tooltip
            key={verb.id}
            label={`${verb.disabled ?? verb.consequence} (${keyWords(verb.keys)})`}
          >
            <Button
              variant="default"
              leftSection={verb.icon ? <verb.icon size={16} /> : undefined}
              aria-disabled={verb.disabled !== undefined}
              data-disabled={verb.disabled !== undefined || undefined}
              onClick={() => !verb.disabled && verb.run()}
            >
              {verb.title}
            </Button>
          </Tooltip>
        ))}
        {primary && (
          <div className={styles.primary} data-split={choices.length > 0 || undefined}>
            <Tooltip
              label={`${primary.disabled ?? primary.consequence} (${keyWords("mod+Enter")})`}
            >
              <Button
                leftSection={primary.icon ? <primary.icon size={16} /> : undefined}
                aria-disabled={primary.disabled !== undefined}
                data-disabled={primary.disabled !== undefined || undefined}
                onClick={(event) => {
                  // Ignores the second click of a double click.
                  if (!primary.disabled && event.detail < 2) primary.run();
                }}
              >
                {primary.title}
              </Button>
            </Tooltip>
            {choices.length > 0 && (
              <MenuButton choices={choices} position="top-end" width={340}>
                <Button aria-label={words.bar.moreActions} className={styles.more}>
                  <IconChevronUp size={16} />
                </Button>
              </MenuButton>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function copy(text: string): void {
  writeClipboard(text)
    .then(() => showToast({ tone: "good", title: words.bar.revisionCopied }))
    .catch(() => showToast({ tone: "bad", title: words.bar.copyFailed }));
}

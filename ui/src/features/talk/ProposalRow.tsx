/** A plan that was offered: its revision, its badge, what changed since the one before. Its text is fetched when it is opened; old ones open as well. */
import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { TalkItem, TalkView } from "../../api/bindings";
import { useOutline } from "../../api/queries";
import { openDrawer } from "../../app/Layout";
import { setPlace } from "../../app/place";
import { Shield } from "../../components/Shield";
import { askApproval } from "../approve/open";
import { shortRevision } from "../run/words";
import styles from "./Talk.module.css";

const ProposalDialog = lazy(() => import("./ProposalDialog"));

export type Opened =
  | { what: "text" }
  | { what: "compare"; from: string; to: string; title: string };

interface ProposalRowProps {
  item: Extract<TalkItem, { kind: "proposal" }>;
  index: number;
  talk: TalkView;
}

export function ProposalRow({ item, index, talk }: ProposalRowProps) {
  const outline = useOutline(talk.has_plan ? talk.plan : null).data;
  const [opened, setOpened] = useState<Opened | null>(null);
  const { revision, before } = item;
  const name = `Proposal ${item.number}`;
  const isLatest = revision !== null && revision === talk.latest;
  const isNow = revision !== null && revision === outline?.revision;
  const now = outline?.revision ?? null;
  const isIdle = talk.state !== "working";
  const open = () => {
    if (isNow) {
      openDrawer(null);
      setPlace({ view: null });
      document.getElementById("centre")?.focus();
    } else setOpened({ what: "text" });
  };
  return (
    <section className={styles.proposal} aria-label={name} data-latest={isLatest || undefined}>
      <div className={styles.proposalHead}>
        <IconFileText size={16} aria-hidden />
        <span className={styles.proposalName}>{name}</span>
        <code className={styles.revision}>{revision ? shortRevision(revision) : item.path}</code>
        {item.badge && (
          <Shield badge={{ word: item.badge, score: item.score }} show="pill" size={13} />
        )}
      </div>
      {item.summary && (
        <p className={styles.dim}>
          <bdi>{item.summary}</bdi>
          {before && " since the proposal before"}
        </p>
      )}
      {isLatest && now && !isNow && (
        <p className={styles.dim}>
          The plan was changed since; it is at <code>{shortRevision(now)}</code> now.
        </p>
      )}
      <div className={styles.buttons}>
        {revision && before && (
          <Button
            size="compact-xs"
            variant="light"
            aria-label={`Compare ${name} with the one before`}
            onClick={() =>
              setOpened({
                what: "compare",
                from: before,
                to: revision,
                title: `What ${name} changed`,
              })
            }
          >
            Compare
          </Button>
        )}
        <Button
          size="compact-xs"
          variant={before ? "subtle" : "light"}
          aria-label={`Open ${name}`}
          onClick={open}
        >
          Open
        </Button>
        {isLatest && revision && now && !isNow && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() =>
              setOpened({
                what: "compare",
                from: revision,
                to: now,
                title: `What changed since ${name}`,
              })
            }
          >
            Compare with now
          </Button>
        )}
        {isLatest && isNow && isIdle && (
          <>
            <Button size="compact-xs" variant="subtle" onClick={() => askApproval("changes")}>
              Request changes…
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => askApproval("run")}>
              Approve…
            </Button>
          </>
        )}
      </div>
      {opened && (
        <Suspense fallback={null}>
          <ProposalDialog
            item={item}
            index={index}
            talk={talk}
            opened={opened}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </section>
  );
}

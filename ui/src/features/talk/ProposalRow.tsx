/** A proposed plan: its revision, badge, and changes since the previous proposal. Its text is fetched when it is opened; earlier proposals can be opened too. */
import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { TalkItem, TalkView } from "../../api/bindings";
import { useOutline } from "../../api/queries";
import { openDrawer } from "../../app/Layout";
import { setPlace } from "../../app/place";
import { Shield } from "../../components/Shield";
import { shortRevision } from "../../lib/revision";
import { words } from "../../words";
import { askApproval } from "../approve/open";
import styles from "./Talk.module.css";

const w = words.talk.proposal;

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
  const { revision, before: previous } = item;
  const name = w.name(item.number);
  const isLatest = revision !== null && revision === talk.latest;
  const isCurrent = revision !== null && revision === outline?.revision;
  const current = outline?.revision ?? null;
  const isIdle = talk.state !== "working";
  const open = () => {
    if (isCurrent) {
      openDrawer(null);
      setPlace({ view: null });
      document.getElementById("centre")?.focus();
    } else setOpened({ what: "text" });
  };
  return (
    <section className={styles.proposal} aria-label={name} data-latest={isLatest || undefined}>
      <div className="pw-row pw-gap-8">
        <IconFileText size={16} aria-hidden />
        <span className="pw-bold pw-rigid">{name}</span>
        <code className="pw-cut pw-hint pw-fill">
          {revision ? shortRevision(revision) : item.path}
        </code>
        {item.badge && (
          <Shield badge={{ word: item.badge, score: item.score }} show="pill" size={13} />
        )}
      </div>
      {item.summary && (
        <p className={styles.dim}>
          <bdi>{item.summary}</bdi>
          {previous && w.sincePrevious}
        </p>
      )}
      {isLatest && current && !isCurrent && (
        <p className={styles.dim}>{w.outdated(<code>{shortRevision(current)}</code>)}</p>
      )}
      <div className={styles.buttons}>
        {revision && previous && (
          <Button
            size="compact-xs"
            variant="light"
            aria-label={w.compareLabel(name)}
            onClick={() =>
              setOpened({
                what: "compare",
                from: previous,
                to: revision,
                title: w.compareTitle(name),
              })
            }
          >
            {w.compare}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant={previous ? "subtle" : "light"}
          aria-label={w.openLabel(name)}
          onClick={open}
        >
          {w.open}
        </Button>
        {isLatest && revision && current && !isCurrent && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() =>
              setOpened({
                what: "compare",
                from: revision,
                to: current,
                title: w.compareCurrentTitle(name),
              })
            }
          >
            {w.compareCurrent}
          </Button>
        )}
        {isLatest && isCurrent && isIdle && (
          <>
            <Button size="compact-xs" variant="subtle" onClick={() => askApproval("changes")}>
              {w.requestChanges}
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => askApproval("run")}>
              {w.approve}
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

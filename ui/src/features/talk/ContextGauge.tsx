/** Shows how full the context window is and the tokens used by the conversation, in one line; a popover has the breakdown. */
import { Popover } from "@mantine/core";
import { useMemo } from "react";
import type { TalkView } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { createStore, useStore } from "../../lib/store";
import { words } from "../../words";
import calls from "./Calls.module.css";
import box from "./Composer.module.css";
import { shortTokens } from "./shortTokens";
import styles from "./Talk.module.css";

const w = words.talk.context;

const isShown = createStore(false);

export function ContextGauge({ talk }: { talk: TalkView }) {
  const isOpen = useStore(isShown);
  const { gauge, cost } = talk;
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "talk.context",
          title: words.talk.actions.context,
          group: "plan",
          keys: "i c",
          run: () => isShown.set(!isShown.get()),
        },
      ],
      [],
    ),
  );
  const tone = gauge.percent >= 90 ? "bad" : gauge.percent >= 70 ? "warn" : "calm";
  const spent = cost.input + cost.output;
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => isShown.set(opened)}
      position="top-start"
      width={300}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={box.gauge}
          aria-expanded={isOpen}
          onClick={() => isShown.set(!isOpen)}
        >
          <span className={box.track} aria-hidden>
            <span
              className={box.fill}
              data-tone={tone}
              style={{ width: `${Math.min(100, gauge.percent)}%` }}
            />
          </span>
          <span>{w.fill(gauge.percent, shortTokens(gauge.window))}</span>
          <span className={box.spent}>{w.used(spent)}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={box.popover} aria-label={w.label}>
        <p className={calls.caption}>{w.nextRequest}</p>
        <dl className={box.parts}>
          {gauge.parts
            .filter((part) => part.tokens > 0)
            .map((part) => (
              <div key={part.kind}>
                <dt>{words.talk.parts[part.kind] ?? part.kind}</dt>
                <dd>{part.tokens.toLocaleString("en")}</dd>
              </div>
            ))}
          <div data-sum>
            <dt>{w.total(gauge.window)}</dt>
            <dd>{gauge.tokens.toLocaleString("en")}</dd>
          </div>
        </dl>
        <p className={styles.dim}>{w.compaction}</p>
        <p className={calls.caption}>{w.usage}</p>
        <dl className={box.parts}>
          <div>
            <dt>{w.input}</dt>
            <dd>{cost.input.toLocaleString("en")}</dd>
          </div>
          <div>
            <dt>{w.cached}</dt>
            <dd>{cost.cached.toLocaleString("en")}</dd>
          </div>
          <div>
            <dt>{w.output}</dt>
            <dd>{cost.output.toLocaleString("en")}</dd>
          </div>
          <div data-sum>
            <dt>{w.replies(cost.replies)}</dt>
            <dd>{spent.toLocaleString("en")}</dd>
          </div>
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}

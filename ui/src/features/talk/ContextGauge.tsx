/** How full the model's window is and what the conversation cost: a line, and on demand what makes it up. */
import { Popover } from "@mantine/core";
import { useMemo } from "react";
import type { TalkView } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { createStore, useStore } from "../../lib/store";
import { count } from "../run/words";
import calls from "./Calls.module.css";
import box from "./Composer.module.css";
import styles from "./Talk.module.css";
import { partWords, tokens } from "./words";

const isShown = createStore(false);

export function ContextGauge({ talk }: { talk: TalkView }) {
  const isOpen = useStore(isShown);
  const { gauge, cost } = talk;
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "talk.context",
          title: "What the model’s window holds, and what it cost",
          group: "Plan",
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
          <span>
            {gauge.percent} % of {tokens(gauge.window)}
          </span>
          <span className={box.spent}>{count(spent, "token")} spent</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={box.popover} aria-label="Context and cost">
        <p className={calls.caption}>IN THE NEXT REQUEST, ABOUT</p>
        <dl className={box.parts}>
          {gauge.parts
            .filter((part) => part.tokens > 0)
            .map((part) => (
              <div key={part.kind}>
                <dt>{partWords(part.kind)}</dt>
                <dd>{part.tokens.toLocaleString("en")}</dd>
              </div>
            ))}
          <div data-sum>
            <dt>Of {gauge.window.toLocaleString("en")} tokens</dt>
            <dd>{gauge.tokens.toLocaleString("en")}</dd>
          </div>
        </dl>
        <p className={styles.dim}>
          When it gets too full the beginning is summed up; the plan and your decisions stay.
        </p>
        <p className={calls.caption}>SPENT SO FAR, AS THE SERVER COUNTS</p>
        <dl className={box.parts}>
          <div>
            <dt>Sent</dt>
            <dd>{cost.input.toLocaleString("en")}</dd>
          </div>
          <div>
            <dt>of it from the server’s cache</dt>
            <dd>{cost.cached.toLocaleString("en")}</dd>
          </div>
          <div>
            <dt>Received</dt>
            <dd>{cost.output.toLocaleString("en")}</dd>
          </div>
          <div data-sum>
            <dt>{count(cost.replies, "answer")}</dt>
            <dd>{spent.toLocaleString("en")}</dd>
          </div>
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}

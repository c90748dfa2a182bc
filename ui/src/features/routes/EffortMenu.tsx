/** The effort that the next plan is made with: each with what is tried first and what that is expected to take for the goal as it stands. */
import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Fragment, useMemo } from "react";
import type { EffortForecast } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { Kbd } from "../../components/Kbd";
import { useStore } from "../../lib/store";
import styles from "./EffortMenu.module.css";
import { chosenEffort } from "./effort";
import { type EffortId, efforts, effortTitle, forecastWords } from "./words";

const keysOf: Record<EffortId, string> = { auto: "e a", quick: "e q", thorough: "e t" };

interface EffortMenuProps {
  /** Of the goal as it stands; none before there is one. */
  forecasts: EffortForecast[] | undefined;
  /** Why there are none, though there is a goal. */
  error: Error | null;
  className?: string;
}

export function EffortMenu({ forecasts, error, className }: EffortMenuProps) {
  const chosen = useStore(chosenEffort);
  useActions(
    useMemo<Action[]>(
      () =>
        efforts.map(({ id, title }) => ({
          id: `effort.${id}`,
          title: `Effort: ${title}`,
          group: "Plan",
          keys: keysOf[id],
          run: () => chosenEffort.set(id),
        })),
      [],
    ),
  );
  const foot = error
    ? `What they would take is not known: ${error.message}`
    : forecasts?.length
      ? forecasts.some((one) => !one.is_learned)
        ? "What is expected is an estimate, until enough plans of this kind were made."
        : "As plans of this kind went here."
      : "What they would take is said once there is a goal.";

  return (
    <Menu position="bottom-start" width={380} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          className={className}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Effort: {effortTitle(chosen)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.dropdown} aria-label="Effort">
        <Menu.RadioGroup
          aria-label="Effort"
          value={chosen}
          onChange={(id) => chosenEffort.set(id as EffortId)}
        >
          {efforts.map(({ id, title, line }) => {
            const forecast = forecasts?.find((one) => one.effort === id);
            return (
              <Menu.RadioItem
                key={id}
                value={id}
                className={styles.item}
                closeMenuOnClick
                rightSection={<Kbd keys={keysOf[id]} small hidden />}
              >
                <span className={styles.title}>{title}</span>
                <span className={styles.line}>{line}</span>
                {forecast && (
                  <>
                    <span className={styles.route}>
                      <span className="pw-sr">Tried first: </span>
                      {forecast.route.map((plugin, at) => (
                        <Fragment key={plugin}>
                          {at > 0 && " → "}
                          <span className={styles.plugin}>{plugin}</span>
                        </Fragment>
                      ))}
                      {forecast.next && (
                        <span className={styles.next}>
                          , then <span className={styles.plugin}>{forecast.next}</span>
                        </span>
                      )}
                    </span>
                    <span className={styles.line}>{forecastWords(forecast)}</span>
                  </>
                )}
              </Menu.RadioItem>
            );
          })}
        </Menu.RadioGroup>
        <div className={styles.foot}>{foot}</div>
      </Menu.Dropdown>
    </Menu>
  );
}

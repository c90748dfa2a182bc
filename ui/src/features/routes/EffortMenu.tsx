/** The menu that sets the effort for the next plan, in the goal box and in the header. For the current goal, each effort shows what is tried first and its estimated cost. */
import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconSelector } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import type { EffortForecast } from "../../api/bindings";
import { Kbd } from "../../components/Kbd";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import styles from "./EffortMenu.module.css";
import { chosenEffort, effortKeys } from "./effort";
import { type EffortId, efforts, effortTitle, forecastWords } from "./routeText";

const text = words.routes.effort;

interface EffortMenuProps {
  /** Whether the menu is outside the goal box; its label then mentions the next plan. */
  isApart?: boolean;
  className?: string;
  /** `EffortChoices`, rendered while the menu is open. */
  children: ReactNode;
}

export function EffortMenu({ isApart = false, className, children }: EffortMenuProps) {
  const chosen = useStore(chosenEffort);
  const title = effortTitle(chosen);
  const Icon = isApart ? IconSelector : IconChevronDown;
  return (
    <Menu
      position={isApart ? "bottom-end" : "bottom-start"}
      width={420}
      // In a small window the menu takes the available space and scrolls.
      middlewares={{ size: { padding: 8 } }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          className={className}
          rightSection={<Icon size={14} aria-hidden />}
          aria-label={isApart ? text.ofNextPlan(title) : undefined}
          title={isApart ? text.ofNextPlanTooltip : undefined}
        >
          {text.chosen(title)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.dropdown}>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface EffortChoicesProps {
  /** Estimates for the current goal; absent without a goal. */
  forecasts: EffortForecast[] | undefined;
  /** Why there are no estimates for the current goal. */
  error: Error | null;
  /** Shown at the bottom if there is no goal. */
  withoutGoal: string;
}

export function EffortChoices({ forecasts, error, withoutGoal }: EffortChoicesProps) {
  const chosen = useStore(chosenEffort);
  const foot = error
    ? text.estimateError(error.message)
    : forecasts?.length
      ? forecasts.some((one) => !one.is_learned)
        ? text.estimated
        : text.measured
      : withoutGoal;
  return (
    <>
      <Menu.RadioGroup
        aria-label={text.label}
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
              rightSection={<Kbd keys={effortKeys[id]} small hidden />}
            >
              <span className={styles.title}>{title}</span>
              <span className={styles.line}>{line}</span>
              {forecast && (
                <>
                  <span className={styles.route}>
                    <span className="pw-sr">{text.triedFirst} </span>
                    {forecast.route.map((plugin, at) => (
                      <Fragment key={plugin}>
                        {at > 0 && " → "}
                        <span className="pw-nowrap">{plugin}</span>
                      </Fragment>
                    ))}
                    {forecast.next && (
                      <span className="pw-dim">
                        , {text.thenTried} <span className="pw-nowrap">{forecast.next}</span>
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
    </>
  );
}

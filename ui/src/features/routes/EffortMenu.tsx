/** The effort that the next plan is made with: each with what is tried first and what that is expected to take for the goal as it stands. It stands in the goal box and in the header; both read and set the same. */
import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconSelector } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import type { EffortForecast } from "../../api/bindings";
import { Kbd } from "../../components/Kbd";
import { useStore } from "../../lib/store";
import styles from "./EffortMenu.module.css";
import { chosenEffort, effortKeys } from "./effort";
import { type EffortId, efforts, effortTitle, forecastWords } from "./words";

interface EffortMenuProps {
  /** It stands where no goal is in view, and says what it is the effort of. */
  isApart?: boolean;
  className?: string;
  /** `EffortChoices`, drawn once the menu is open. */
  children: ReactNode;
}

export function EffortMenu({ isApart = false, className, children }: EffortMenuProps) {
  const chosen = useStore(chosenEffort);
  const label = `Effort: ${effortTitle(chosen)}`;
  const Icon = isApart ? IconSelector : IconChevronDown;
  return (
    <Menu
      position={isApart ? "bottom-end" : "bottom-start"}
      width={420}
      // In a small window it has the room there is, and is scrolled.
      middlewares={{ size: { padding: 8 } }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          className={className}
          rightSection={<Icon size={14} aria-hidden />}
          aria-label={isApart ? `${label}, of the next plan` : undefined}
          title={isApart ? "Effort of the next plan" : undefined}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.dropdown}>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface EffortChoicesProps {
  /** Of the goal as it stands; none before there is one. */
  forecasts: EffortForecast[] | undefined;
  /** Why there are none, though there is a goal. */
  error: Error | null;
  /** Said at the foot where no goal is written. */
  withoutGoal: string;
}

export function EffortChoices({ forecasts, error, withoutGoal }: EffortChoicesProps) {
  const chosen = useStore(chosenEffort);
  const foot = error
    ? `What they would take is not known: ${error.message}`
    : forecasts?.length
      ? forecasts.some((one) => !one.is_learned)
        ? "What is expected is an estimate, until enough plans of this kind were made."
        : "As plans of this kind went here."
      : withoutGoal;
  return (
    <>
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
              rightSection={<Kbd keys={effortKeys[id]} small hidden />}
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
    </>
  );
}

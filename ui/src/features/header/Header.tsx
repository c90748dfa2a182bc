/** The header: workspace, open plan, mode, and the effort for the next plan. */
import { Button } from "@mantine/core";
import {
  IconChevronDown,
  IconFolder,
  IconFolderOpen,
  IconRulerMeasure,
  IconWindowMaximize,
} from "@tabler/icons-react";
import { useMemo } from "react";
import type { Outline } from "../../api/bindings";
import { useNewWindow } from "../../api/mutations";
import { useOutline, usePlans, useStart, useWorkspace } from "../../api/queries";
import { type Action, useActions } from "../../app/keys";
import { openWorkspace, screenOf, usePlace } from "../../app/place";
import { Chip } from "../../components/Chip";
import { Kbd } from "../../components/Kbd";
import { MenuButton } from "../../components/MenuButton";
import { useRoom } from "../../lib/useWidth";
import { words } from "../../words";
import { useOpening } from "../first/useOpening";
import { openPalette } from "../palette/palette";
import { planState, stateLooks } from "../plans/planState";
import { useEffortKeys } from "../routes/effort";
import { ModeControl } from "../talk/ModeControl";
import styles from "./Header.module.css";
import { ModelMenu } from "./ModelMenu";
import { NextEffort } from "./NextEffort";
import { ThemeMenu } from "./ThemeMenu";

/** Maximum number of recent folders in the switcher; the first screen lists them all. */
const shownRecent = 8;

export function Header() {
  const place = usePlace();
  const screen = screenOf(place);
  const isPlan = screen === "plan";
  const hasEffort = useRoom() === "wide" && place.workspace !== null;
  const start = useStart().data;
  const workspace = useWorkspace(place.workspace).data;
  const outline = useOutline(isPlan ? place.plan : null).data;
  const { chooseFolder, choosePlan } = useOpening();
  const { mutate: newWindow } = useNewWindow();
  const name = workspace?.name ?? lastPart(place.workspace) ?? words.header.noFolder;

  // The first screen has an effort menu too, in its goal box.
  useEffortKeys(hasEffort || screen === "first");
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "window.openFolder",
          title: words.header.openFolder,
          group: "window",
          keys: "mod+o",
          run: chooseFolder,
        },
        {
          id: "window.openPlan",
          title: words.header.openPlan,
          group: "window",
          keys: "mod+shift+o",
          run: choosePlan,
        },
        {
          id: "window.new",
          title: words.header.newWindow,
          group: "window",
          keys: "mod+shift+n",
          run: () => newWindow(),
        },
      ],
      [chooseFolder, choosePlan, newWindow],
    ),
  );

  const recent = (start?.recent ?? []).slice(0, shownRecent).map((folder) => ({
    id: folder.path,
    title: folder.shown,
    consequence: folder.is_missing ? words.header.folderMissing : undefined,
    icon: <IconFolder size={16} />,
    disabled: folder.is_missing || folder.path === place.workspace,
    onClick: () => openWorkspace(folder.path),
  }));

  return (
    <div className={styles.header}>
      <div className={styles.workspace}>
        <MenuButton
          choices={[
            ...recent,
            {
              id: "open",
              title: words.header.openFolder,
              icon: <IconFolderOpen size={16} />,
              keys: "mod+o",
              onClick: chooseFolder,
            },
            {
              id: "new",
              title: words.header.newWindow,
              icon: <IconWindowMaximize size={16} />,
              keys: "mod+shift+n",
              onClick: () => newWindow(),
            },
          ]}
        >
          <Button
            variant="transparent"
            className={styles.switcher}
            leftSection={<IconRulerMeasure size={18} className={styles.logo} />}
            rightSection={<IconChevronDown size={16} />}
          >
            <span className={styles.name} title={place.workspace ?? undefined}>
              {name}
            </span>
          </Button>
        </MenuButton>
      </div>
      <div className={styles.plan}>
        {isPlan && outline && (
          <>
            <span className={styles.title} title={outline.title}>
              {outline.title || words.header.untitled}
            </span>
            <StateChip outline={outline} />
            <span className={styles.path} title={outline.path}>
              {outline.path}
            </span>
          </>
        )}
      </div>
      {isPlan && outline && <ModeControl outline={outline} />}
      {hasEffort && place.workspace && <NextEffort workspace={place.workspace} />}
      <ModelMenu />
      <ThemeMenu />
      <span className={styles.hint}>
        <button
          type="button"
          id="all-actions"
          className={styles.keys}
          onClick={openPalette}
          title={words.header.allActions}
        >
          <Kbd keys="mod+k" />
          <span className="pw-sr">{words.header.allActions}</span>
        </button>
      </span>
    </div>
  );
}

/** The state of the open plan. The state of its run is taken from the plan list. */
function StateChip({ outline }: { outline: Outline }) {
  const listed = usePlans(outline.workspace).data?.plans.find(({ plan }) => plan === outline.plan);
  const { mark, is_over } = outline;
  const { run_state = null, is_archived } = listed ?? {};
  const state = planState({ mark, is_over, run_state, is_archived });
  return (
    <span className={styles.state}>
      <span className="pw-sr">{words.header.planState} </span>
      <Chip tone={stateLooks[state].tone} title={words.plans.stateHints[state]}>
        {words.plans.states[state]}
      </Chip>
    </span>
  );
}

function lastPart(path: string | null): string | null {
  return path ? (path.split(/[\\/]/).filter(Boolean).at(-1) ?? path) : null;
}

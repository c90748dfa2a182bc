/** The list on the left: the workspace's plans with their badges, and links to Inbox, Insights, Templates and Settings. */
import {
  IconArchive,
  IconArchiveOff,
  IconChartLine,
  IconCopy,
  IconFolder,
  IconFolderOpen,
  IconInbox,
  IconPlus,
  IconSearch,
  IconSettings,
  IconTemplate,
} from "@tabler/icons-react";
import { type ComponentType, type KeyboardEvent, useMemo } from "react";
import type { PlanSummary } from "../../api/bindings";
import { useShowInFolder } from "../../api/mutations";
import { useInbox, usePlans } from "../../api/queries";
import { type Action, useActions } from "../../app/keys";
import { goTo, openPlan, type Screen, screenOf, setPlace, usePlace } from "../../app/place";
import { Count } from "../../components/Chip";
import { useContextMenu } from "../../components/ContextMenu";
import { IconButton } from "../../components/IconButton";
import { badgeWord, Shield } from "../../components/Shield";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { writeClipboard } from "../../lib/clipboard";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { openSearch } from "../search/search";
import { openModels } from "../settings/models/openModels";
import { ArchivedGroup, useArchiveKey, useToggleArchived } from "./archive";
import styles from "./PlanList.module.css";
import { planState, stateLooks } from "./planState";

const texts = words.plans;

/** Number of plans above which a group starts collapsed, except the plan folder. */
const foldedFrom = 12;

export function newPlan(): void {
  setPlace({ screen: "first" });
  requestAnimationFrame(() => document.getElementById("goal")?.focus());
}

/** The keys of the list. Active even while it is a closed drawer. */
export function usePlanListKeys(): void {
  const place = usePlace();
  const screen = screenOf(place);
  const list = usePlans(place.workspace).data?.plans;
  const open = screen === "plan" ? place.plan : null;
  useArchiveKey(list?.find(({ plan }) => plan === open));

  useActions(
    useMemo<Action[]>(() => {
      const step = (by: number) => {
        const shown = list?.filter((plan) => !plan.is_archived || plan.plan === open) ?? [];
        const at = shown.findIndex((plan) => plan.plan === open);
        const next = shown[(at + by + shown.length) % Math.max(1, shown.length)];
        if (next) openPlan(next.plan);
      };
      return [
        { id: "plans.new", title: texts.newPlan, group: "go", keys: "mod+n", run: newPlan },
        { id: "plans.next", title: texts.next, group: "go", keys: "]", run: () => step(1) },
        {
          id: "plans.previous",
          title: texts.previous,
          group: "go",
          keys: "[",
          run: () => step(-1),
        },
        { id: "go.inbox", title: texts.inbox, group: "go", keys: "g i", run: () => goTo("inbox") },
        {
          id: "go.insights",
          title: texts.insights,
          group: "go",
          keys: "g n",
          run: () => goTo("insights"),
        },
        {
          id: "go.templates",
          title: texts.templates,
          group: "go",
          keys: "g t",
          run: () => goTo("templates"),
        },
        {
          id: "go.settings",
          title: texts.settings,
          group: "go",
          keys: "mod+,",
          run: () => goTo("settings"),
        },
        {
          id: "go.models",
          title: texts.models,
          group: "go",
          keys: "g m",
          run: openModels,
        },
        {
          id: "go.plan",
          title: texts.backToPlan,
          group: "go",
          keys: "g o",
          when: () => place.plan !== null && screen !== "plan",
          run: () => goTo("plan"),
        },
      ];
    }, [list, open, place.plan, screen]),
  );
}

export function PlanList() {
  const place = usePlace();
  const screen = screenOf(place);
  const plans = usePlans(place.workspace);
  const inbox = useInbox();
  const list = plans.data?.plans;
  const open = screen === "plan" ? place.plan : null;

  const waiting = inbox.data?.length ?? 0;
  const { onContextMenu, onMenuKey, menu } = usePlanMenu(place.workspace, list);
  return (
    <div className={styles.list}>
      {menu}
      <div className={styles.head}>
        <h2 className={styles.heading}>{texts.heading}</h2>
        <span>
          {place.workspace && (
            <IconButton label={texts.search} keys="mod+shift+f" onClick={openSearch}>
              <IconSearch size={15} />
            </IconButton>
          )}
          <IconButton label={texts.newPlan} keys="mod+n" tone="indigo" onClick={newPlan}>
            <IconPlus size={17} />
          </IconButton>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows in it are buttons; this is their context menu */}
      <div className={styles.plans} onContextMenu={onContextMenu} onKeyDown={onMenuKey}>
        {plans.isError ? (
          <ErrorState
            title={texts.list.failed}
            error={plans.error}
            onRetry={() => void plans.refetch()}
          />
        ) : list === undefined ? (
          place.workspace ? (
            <Loading lines={3} label={texts.list.loading} />
          ) : (
            <p className={styles.none}>{texts.list.noFolder}</p>
          )
        ) : list.length === 0 ? (
          <EmptyState title={texts.list.emptyTitle}>{texts.list.empty}</EmptyState>
        ) : (
          <Groups list={list} open={open} />
        )}
        {!plans.isError &&
          plans.data?.left_out.map((sentence) => (
            <p key={sentence} className={styles.leftOut}>
              {sentence}
            </p>
          ))}
      </div>
      <ul className={styles.links} onKeyDown={moveFocus}>
        <li>
          <LinkRow
            to="inbox"
            title={texts.inbox}
            icon={IconInbox}
            isOpen={screen === "inbox"}
            count={waiting}
          />
        </li>
        <li>
          <LinkRow
            to="insights"
            title={texts.insights}
            icon={IconChartLine}
            isOpen={screen === "insights"}
          />
        </li>
        <li>
          <LinkRow
            to="templates"
            title={texts.templates}
            icon={IconTemplate}
            isOpen={screen === "templates"}
          />
        </li>
      </ul>
      <div className={styles.foot}>
        <LinkRow
          to="settings"
          title={texts.settings}
          icon={IconSettings}
          isOpen={screen === "settings"}
        />
      </div>
    </div>
  );
}

/** The context menu of the plans. */
function usePlanMenu(workspace: string | null, list: PlanSummary[] | undefined) {
  const { mutate: showInFolder } = useShowInFolder();
  const toggleArchived = useToggleArchived();
  const size = 14;
  return useContextMenu((target) => {
    const row = target.closest<HTMLElement>("[data-plan]");
    const plan = list?.find((one) => one.plan === row?.dataset.plan);
    if (!row || !plan) return null;
    // Only files in the workspace can be shown in their folder.
    const isInside = plan.place === "plans" || plan.place === "workspace";
    const choices = [
      {
        id: "open",
        title: texts.menu.open,
        icon: <IconFolderOpen size={size} />,
        onClick: () => openPlan(plan.plan),
      },
      {
        id: "copy",
        title: texts.menu.copyPath,
        icon: <IconCopy size={size} />,
        onClick: () => copyPath(plan.plan),
      },
      {
        id: "archive",
        title: plan.is_archived ? texts.archive.restore : texts.archive.archive,
        icon: plan.is_archived ? <IconArchiveOff size={size} /> : <IconArchive size={size} />,
        onClick: () => toggleArchived(plan),
      },
      {
        id: "show",
        title: texts.menu.showInFolder,
        icon: <IconFolder size={size} />,
        onClick: () => workspace && showInFolder({ workspace, path: plan.path }),
      },
    ];
    return {
      label: texts.menu.label(plan.title || plan.path),
      anchor: row,
      choices: workspace && isInside ? choices : choices.filter((choice) => choice.id !== "show"),
    };
  });
}

function copyPath(path: string): void {
  writeClipboard(path).then(
    () => showToast({ tone: "good", title: texts.menu.copied, message: path }),
    () => showToast({ tone: "bad", title: texts.menu.copyFailed }),
  );
}

/** The plans by location: the plan folder first, then the rest of the workspace, then folders of other programs. */
function Groups({ list, open }: { list: PlanSummary[]; open: string | null }) {
  const archived = list.filter((plan) => plan.is_archived);
  const places = [...new Set(list.map((plan) => plan.place))];
  const rowsOf = (plans: PlanSummary[]) => (
    <ul className={styles.rows} onKeyDown={moveFocus}>
      {plans.map((plan) => (
        <li key={plan.plan}>
          <PlanRow plan={plan} isOpen={plan.plan === open} />
        </li>
      ))}
    </ul>
  );
  const groups = places.map((place) => {
    const plans = list.filter((plan) => plan.place === place && !plan.is_archived);
    if (plans.length === 0) return null;
    const rows = rowsOf(plans);
    if (place === "plans") return <div key={place}>{rows}</div>;
    const isFolded = plans.length > foldedFrom && !plans.some((plan) => plan.plan === open);
    return (
      <details key={place} className={styles.group} open={!isFolded}>
        <summary className={styles.groupName}>
          <bdi>{place === "workspace" ? texts.list.elsewhere : place}</bdi>
          <span>{plans.length}</span>
        </summary>
        {rows}
      </details>
    );
  });
  return (
    <>
      {groups}
      {archived.length > 0 && (
        <ArchivedGroup count={archived.length} isOpen={archived.some((plan) => plan.plan === open)}>
          {rowsOf(archived)}
        </ArchivedGroup>
      )}
    </>
  );
}

function PlanRow({ plan, isOpen }: { plan: PlanSummary; isOpen: boolean }) {
  const state = plan.problem ? null : planState(plan);
  const Icon = state && stateLooks[state].icon;
  const judged = plan.badge ? `${badgeWord(plan.badge.word)} ${plan.badge.score}` : plan.problem;
  return (
    <button
      type="button"
      className={styles.row}
      data-plan={plan.plan}
      aria-current={isOpen ? "page" : undefined}
      title={[plan.title, plan.path, judged, state && texts.states[state]]
        .filter(Boolean)
        .join("\n")}
      onClick={() => openPlan(plan.plan)}
    >
      <Shield badge={plan.badge} size={17} />
      <span className="pw-cut pw-fill pw-isolate">{plan.title || plan.path}</span>
      {state && (
        <span
          className={Icon ? styles.state : styles.dot}
          data-state={state}
          title={texts.stateHints[state]}
        >
          {Icon && <Icon size={14} aria-hidden />}
          <span className="pw-sr">{texts.states[state]}</span>
        </span>
      )}
      {plan.badge && (
        <span className="pw-hint" aria-hidden>
          {plan.badge.score}
        </span>
      )}
      {plan.problem && <span className={styles.problem}>{texts.list.unreadable}</span>}
    </button>
  );
}

interface LinkRowProps {
  to: Screen;
  title: string;
  icon: ComponentType<{ size?: number }>;
  isOpen: boolean;
  count?: number;
}

function LinkRow({ to, title, icon: Icon, isOpen, count = 0 }: LinkRowProps) {
  return (
    <button
      type="button"
      className={styles.row}
      aria-current={isOpen ? "page" : undefined}
      onClick={() => goTo(to)}
    >
      <Icon size={17} />
      <span className="pw-cut pw-fill pw-isolate">{title}</span>
      {count > 0 && <Count value={count} label={texts.waiting(count)} />}
    </button>
  );
}

/** Moves focus between the rows of a list with the arrow keys; Tab leaves the list. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  const rows = [...event.currentTarget.querySelectorAll("button")];
  const at = rows.indexOf(document.activeElement as HTMLButtonElement);
  rows[(at + by + rows.length) % rows.length]?.focus();
  event.preventDefault();
}

/** The tabs and parts of an open plan. A feature that builds one adds its line here; what has no line is not shown. Only the outline comes with the plan: everything else is `lazy`. Whole screens stand in `wholeScreens.ts`. */
import { IconHistory, IconListCheck, IconMarkdown, IconSitemap } from "@tabler/icons-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import ApprovePart from "../features/approve/ApprovePart";
import UndoPart from "../features/changes/UndoPart";
import { useFindingCount } from "../features/findings/useFindingCount";
import OutlineTab from "../features/outline/Outline";
import ReceiptPart from "../features/receipt/ReceiptPart";
import ReviewPart from "../features/review/ReviewPart";
import { useCommentCount } from "../features/review/useCommentCount";
import RunPart from "../features/run/RunPart";
import { useWaitingCount } from "../features/run/useWaitingCount";
import SourcePart from "../features/source/SourcePart";

type Loaded = ComponentType | LazyExoticComponent<ComponentType>;

export interface CentreTab {
  /** As `Place.view` keeps it. */
  id: string;
  title: string;
  /** Chord that opens it: `v` and a letter. */
  keys: string;
  icon: ComponentType<{ size?: number }>;
  Body: Loaded;
  /** Fetches the view's code; begun when the pointer comes to the tab. */
  load?: () => Promise<unknown>;
}

const loadGraph = () => import("../features/graph/GraphTab");
const loadSource = () => import("../features/source/Source");

export interface PanelTab {
  /** As `Place.panel` keeps it. */
  id: string;
  title: string;
  /** Chord that opens it. */
  keys: string;
  /** A number beside the title, with the words for screen readers; a hook, called for each tab. */
  useCount?: () => { value: number; label: string } | null;
  Body: Loaded;
}

/** Tabs of a plan's centre, from left to right. */
export const centreTabs: CentreTab[] = [
  { id: "outline", title: "Outline", keys: "v o", icon: IconListCheck, Body: OutlineTab },
  {
    id: "graph",
    title: "Graph",
    keys: "v g",
    icon: IconSitemap,
    Body: lazy(loadGraph),
    load: loadGraph,
  },
  {
    id: "source",
    title: "Source",
    keys: "v s",
    icon: IconMarkdown,
    Body: lazy(loadSource),
    load: loadSource,
  },
  {
    id: "history",
    title: "History",
    keys: "v h",
    icon: IconHistory,
    Body: lazy(() => import("../features/history/History")),
  },
];

/** Tabs of the right panel, from left to right. */
export const panelTabs: PanelTab[] = [
  {
    id: "talk",
    title: "Talk",
    keys: "g k",
    Body: lazy(() => import("../features/talk/TalkPanel")),
  },
  {
    id: "findings",
    title: "Findings",
    keys: "g f",
    useCount: useFindingCount,
    Body: lazy(() => import("../features/findings/Findings")),
  },
  {
    id: "review",
    title: "Review",
    keys: "g v",
    useCount: useCommentCount,
    Body: lazy(() => import("../features/review/ReviewPanel")),
  },
  {
    id: "run",
    title: "Run",
    keys: "g r",
    useCount: useWaitingCount,
    Body: lazy(() => import("../features/run/RunPanel")),
  },
  {
    id: "changes",
    title: "Changes",
    keys: "g c",
    Body: lazy(() => import("../features/changes/ChangesPanel")),
  },
];

/** Drawn beside every plan, without a region of their own: they put verbs into the bar and open dialogs. */
export const planParts: { id: string; Part: ComponentType }[] = [
  { id: "approve", Part: ApprovePart },
  { id: "run", Part: RunPart },
  { id: "undo", Part: UndoPart },
  { id: "receipt", Part: ReceiptPart },
  { id: "review", Part: ReviewPart },
  { id: "source", Part: SourcePart },
];

/** The tabs and parts of an open plan. A feature that builds one adds its line here; what has no line is not shown. Only the outline comes with the plan: everything else comes `later`. Whole screens stand in `wholeScreens.ts`. */
import { IconHistory, IconListCheck, IconMarkdown, IconSitemap } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { type Later, later } from "../components/later";
import ApprovePart from "../features/approve/ApprovePart";
import UndoPart from "../features/changes/UndoPart";
import ExpandPart from "../features/expansion/ExpandPart";
import { useFindingCount } from "../features/findings/useFindingCount";
import OutlineTab from "../features/outline/Outline";
import ReceiptPart from "../features/receipt/ReceiptPart";
import ReviewPart from "../features/review/ReviewPart";
import { useCommentCount } from "../features/review/useCommentCount";
import RoutePart from "../features/routes/RoutePart";
import RunPart from "../features/run/RunPart";
import { useWaitingCount } from "../features/run/useWaitingCount";
import SourcePart from "../features/source/SourcePart";
import { useTalkCount } from "../features/talk/useTalkCount";

export interface CentreTab {
  /** As `Place.view` keeps it. */
  id: string;
  title: string;
  /** Chord that opens it: `v` and a letter. */
  keys: string;
  icon: ComponentType<{ size?: number }>;
  /** What comes later is fetched when the pointer comes to the tab. */
  Body: ComponentType & Partial<Later<object>>;
}

export interface PanelTab {
  /** As `Place.panel` keeps it. */
  id: string;
  title: string;
  /** Chord that opens it. */
  keys: string;
  /** A number beside the title, with the words for screen readers; a hook, called for each tab. */
  useCount?: () => { value: number; label: string } | null;
  Body: ComponentType;
}

/** Tabs of a plan's centre, from left to right. */
export const centreTabs: CentreTab[] = [
  { id: "outline", title: "Outline", keys: "v o", icon: IconListCheck, Body: OutlineTab },
  {
    id: "graph",
    title: "Graph",
    keys: "v g",
    icon: IconSitemap,
    Body: later(() => import("../features/graph/GraphTab"), 8),
  },
  {
    id: "source",
    title: "Source",
    keys: "v s",
    icon: IconMarkdown,
    Body: later(() => import("../features/source/Source"), 8),
  },
  {
    id: "history",
    title: "History",
    keys: "v h",
    icon: IconHistory,
    Body: later(() => import("../features/history/History"), 8),
  },
];

/** Tabs of the right panel, from left to right. */
export const panelTabs: PanelTab[] = [
  {
    id: "talk",
    title: "Talk",
    keys: "g k",
    useCount: useTalkCount,
    Body: later(() => import("../features/talk/TalkPanel"), 3),
  },
  {
    id: "findings",
    title: "Findings",
    keys: "g f",
    useCount: useFindingCount,
    Body: later(() => import("../features/findings/Findings"), 3),
  },
  {
    id: "review",
    title: "Review",
    keys: "g v",
    useCount: useCommentCount,
    Body: later(() => import("../features/review/ReviewPanel"), 3),
  },
  {
    id: "run",
    title: "Run",
    keys: "g r",
    useCount: useWaitingCount,
    Body: later(() => import("../features/run/RunPanel"), 3),
  },
  {
    id: "changes",
    title: "Changes",
    keys: "g c",
    Body: later(() => import("../features/changes/ChangesPanel"), 3),
  },
];

/** Drawn beside every plan, without a region of their own: they put verbs into the bar and open dialogs. */
export const planParts: { id: string; Part: ComponentType }[] = [
  { id: "approve", Part: ApprovePart },
  { id: "expand", Part: ExpandPart },
  { id: "run", Part: RunPart },
  { id: "undo", Part: UndoPart },
  { id: "receipt", Part: ReceiptPart },
  { id: "route", Part: RoutePart },
  { id: "review", Part: ReviewPart },
  { id: "source", Part: SourcePart },
];

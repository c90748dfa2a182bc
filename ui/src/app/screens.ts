/** The tabs and parts of an open plan. A feature needs an entry here to be shown. Everything except the outline is loaded on demand, with `later`. Whole screens are in `wholeScreens.ts`. */
import { IconHistory, IconListCheck, IconMarkdown, IconSitemap } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { type Later, later } from "../components/later";
import ApprovePart from "../features/approve/ApprovePart";
import UndoPart from "../features/changes/UndoPart";
import ExpandPart from "../features/expansion/ExpandPart";
import { useFindingCount } from "../features/findings/useFindingCount";
import OutlineTab from "../features/outline/Outline";
import PrintPart from "../features/print/PrintPart";
import ReceiptPart from "../features/receipt/ReceiptPart";
import ReviewPart from "../features/review/ReviewPart";
import { useCommentCount } from "../features/review/useCommentCount";
import RoutePart from "../features/routes/RoutePart";
import RunPart from "../features/run/RunPart";
import { useWaitingCount } from "../features/run/useWaitingCount";
import SharePart from "../features/share/SharePart";
import SourcePart from "../features/source/SourcePart";
import { useTalkCount } from "../features/talk/useTalkCount";
import TourPart from "../features/tour/TourPart";
import { words } from "../words";

const { views, panel } = words.app;

export interface CentreTab {
  /** The tab's id, which is the value of `Place.view` while the tab is open. */
  id: string;
  title: string;
  /** The chord that opens it: `v` and a letter. */
  keys: string;
  icon: ComponentType<{ size?: number }>;
  /** The content. One wrapped in `later` is loaded when the pointer enters the tab. */
  Body: ComponentType & Partial<Later<object>>;
}

export interface PanelTab {
  /** The tab's id, which is the value of `Place.panel` while the tab is open. */
  id: string;
  title: string;
  /** The chord that opens it. */
  keys: string;
  /** A hook for the number beside the title, with a label for screen readers. */
  useCount?: () => { value: number; label: string } | null;
  Body: ComponentType;
}

/** Tabs of a plan's center, from left to right. */
export const centreTabs: CentreTab[] = [
  { id: "outline", title: views.outline, keys: "v o", icon: IconListCheck, Body: OutlineTab },
  {
    id: "graph",
    title: views.graph,
    keys: "v g",
    icon: IconSitemap,
    Body: later(() => import("../features/graph/GraphTab"), 8),
  },
  {
    id: "source",
    title: views.source,
    keys: "v s",
    icon: IconMarkdown,
    Body: later(() => import("../features/source/Source"), 8),
  },
  {
    id: "history",
    title: views.history,
    keys: "v h",
    icon: IconHistory,
    Body: later(() => import("../features/history/History"), 8),
  },
];

/** Tabs of the right panel, from left to right. */
export const panelTabs: PanelTab[] = [
  {
    id: "talk",
    title: panel.talk,
    keys: "g k",
    useCount: useTalkCount,
    Body: later(() => import("../features/talk/TalkPanel"), 3),
  },
  {
    id: "findings",
    title: panel.findings,
    keys: "g f",
    useCount: useFindingCount,
    Body: later(() => import("../features/findings/Findings"), 3),
  },
  {
    id: "review",
    title: panel.review,
    keys: "g v",
    useCount: useCommentCount,
    Body: later(() => import("../features/review/ReviewPanel"), 3),
  },
  {
    id: "run",
    title: panel.run,
    keys: "g r",
    useCount: useWaitingCount,
    Body: later(() => import("../features/run/RunPanel"), 3),
  },
  {
    id: "changes",
    title: panel.changes,
    keys: "g c",
    Body: later(() => import("../features/changes/ChangesPanel"), 3),
  },
];

/** Parts that are mounted with every plan but have no region of their own: they add verbs to the bar and open dialogs. */
export const planParts: { id: string; Part: ComponentType }[] = [
  { id: "approve", Part: ApprovePart },
  { id: "expand", Part: ExpandPart },
  { id: "run", Part: RunPart },
  { id: "undo", Part: UndoPart },
  { id: "receipt", Part: ReceiptPart },
  { id: "route", Part: RoutePart },
  { id: "review", Part: ReviewPart },
  { id: "source", Part: SourcePart },
  { id: "print", Part: PrintPart },
  { id: "share", Part: SharePart },
  { id: "tour", Part: TourPart },
];

/** Every screen except an open plan, each loaded as its own chunk. A feature adds its entry here. */
import type { ComponentType } from "react";
import { later } from "../components/later";
import type { Screen } from "./place";

export const wholeScreens: Partial<Record<Exclude<Screen, "plan">, ComponentType>> = {
  first: later(() => import("../features/first/FirstScreen"), 8),
  inbox: later(() => import("../features/inbox/InboxScreen"), 8),
  insights: later(() => import("../features/insights/InsightsScreen"), 8),
  settings: later(() => import("../features/settings/SettingsScreen"), 8),
  talk: later(() => import("../features/talk/TalkScreen"), 8),
  templates: later(() => import("../features/templates/TemplatesScreen"), 8),
};

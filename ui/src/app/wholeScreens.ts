/** The whole screens that exist beside an open plan, each a chunk of its own. A feature that builds one adds its line here. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { Screen } from "./place";

export const wholeScreens: Partial<
  Record<Exclude<Screen, "plan">, LazyExoticComponent<ComponentType>>
> = {
  first: lazy(() => import("../features/first/FirstScreen")),
  inbox: lazy(() => import("../features/inbox/InboxScreen")),
  settings: lazy(() => import("../features/settings/SettingsScreen")),
  templates: lazy(() => import("../features/templates/TemplatesScreen")),
};

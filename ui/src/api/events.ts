/** The only place that listens to backend events. Each event invalidates some query keys; a gap in the sequence numbers invalidates everything. */
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { showToast } from "../lib/toast";
import {
  type DeskEvent,
  type DesktopEvent,
  events,
  type RouteStep,
  type ShellNews,
  type TalkLive,
} from "./bindings";
import { keys } from "./keys";
import type { PlanningNow } from "./routes";
import { prefetchRows } from "./rowPages";

/** The query keys that an event invalidates. `apply` writes the event's data to the cache. */
export function staleKeys(event: DesktopEvent): QueryKey[] {
  switch (event.kind) {
    case "plans":
      return [keys.plans(event.workspace), keys.searches];
    case "plan":
      return [
        keys.plan(event.plan),
        keys.approvals(event.plan),
        keys.question(event.plan),
        keys.searches,
        // Findings can change with the workspace even if the plan is unchanged.
        ...(event.revision ? [keys.at(event.plan, event.revision)] : []),
        // If the app rewrote the plan, its route has changed.
        ...(event.author === "app" ? [keys.planRoute(event.plan)] : []),
      ];
    case "moved":
      // There is now a different file at the old path, or none.
      return [
        keys.plan(event.plan),
        keys.plan(event.to),
        keys.planRoute(event.plan),
        keys.planRoute(event.to),
        keys.review(event.to),
        keys.drafts(event.to),
        keys.inbox,
      ];
    case "review":
      return [
        keys.review(event.plan),
        keys.approvals(event.plan),
        keys.outline(event.plan),
        // The history shows which revision is approved, and a conflict may have been resolved.
        keys.history(event.plan),
        keys.conflicts(event.plan),
      ];
    case "run":
      return [keys.run(event.run), keys.plan(event.plan), keys.approvals(event.plan)];
    case "output":
      return [keys.runStep(event.run, event.task)];
    case "talk":
      return [keys.talk(event.session), keys.talkOf(event.plan), keys.allTalks];
    case "inbox":
      return [keys.inbox, keys.questions];
    case "needed":
      return [keys.inbox];
    case "insights":
      return [keys.allInsights];
    case "settings":
      return [
        ["settings"],
        ["templates"],
        ["template"],
        ["approval"],
        keys.models,
        keys.start,
        keys.allForecasts,
      ];
    case "models":
      return [keys.models, keys.start];
    case "workspace":
      return [keys.workspace(event.workspace), keys.plans(event.workspace), keys.start];
    default:
      return [];
  }
}

/** Writes an event's data to the cache, and shows notices. */
function apply(cache: QueryClient, event: DesktopEvent): void {
  switch (event.kind) {
    case "progress":
      cache.setQueryData(keys.progress(event.run), event.progress);
      cache.setQueryData(keys.beside(event.run), event.beside);
      break;
    case "planning":
      cache.setQueryData<PlanningNow>(keys.planning(event.job), {
        phase: event.phase,
        files: event.files,
        said: event.said,
      });
      break;
    case "planning_step":
      cache.setQueryData<RouteStep[]>(keys.planningSteps(event.job), (before) =>
        withStep(before ?? [], event.step),
      );
      break;
    case "talk_text":
      appendText(cache, event);
      break;
    case "workspace":
      cache.setQueryData(keys.missing(event.workspace), event.is_missing);
      break;
    case "notice":
      showToast({
        tone: "info",
        title: asSentence(event.message),
        about: event.about ?? undefined,
      });
      break;
    default:
      break;
  }
}

/** Inserts a step by its number, replacing any step with the same number. */
function withStep(steps: RouteStep[], step: RouteStep): RouteStep[] {
  const others = steps.filter((one) => one.number !== step.number);
  return [...others, step].sort((one, other) => one.number - other.number);
}

/** Capitalizes a message. */
function asSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Appends text to the live reply. If a piece is missing, the whole reply is fetched. */
function appendText(cache: QueryClient, event: Extract<DesktopEvent, { kind: "talk_text" }>): void {
  const key = keys.talkLive(event.session);
  const known = cache.getQueryData<TalkLive>(key);
  // The reply isn't on screen. Once it is shown, it is fetched as a whole.
  if (!known) return;
  const now = known.reply === event.reply ? known : { reply: event.reply, text: "", thinking: "" };
  const part = event.is_thinking ? "thinking" : "text";
  if (now[part].length === event.at) {
    cache.setQueryData<TalkLive>(key, { ...now, [part]: now[part] + event.text });
  } else {
    void cache.invalidateQueries({ queryKey: key });
  }
}

const listeners = new Set<(event: DesktopEvent) => void>();

/** Calls `heard` for each event, after the cache is updated. Returns a function that unsubscribes. */
export function onDesktopEvent(heard: (event: DesktopEvent) => void): () => void {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

/** Refetches stale keys. A key that is being fetched is fetched once more after its answer, however many events arrive. That includes a first fetch, whose answer may be older than the event. */
function createRefresher(cache: QueryClient): (key: QueryKey) => void {
  const underWay = new Map<string, { again: boolean }>();
  const refresh = (key: QueryKey) => {
    const name = JSON.stringify(key);
    const before = underWay.get(name);
    if (before) {
      before.again = true;
      return;
    }
    const first = firstFetches(cache, key);
    const now = { again: first.length > 0 };
    underWay.set(name, now);
    const answered = first.map((query) => query.promise?.catch(() => undefined));
    void Promise.all([cache.invalidateQueries({ queryKey: key }), ...answered]).finally(() => {
      underWay.delete(name);
      if (now.again) refresh(key);
    });
  };
  return refresh;
}

/** Queries in their first fetch, which invalidation doesn't fetch again. */
function firstFetches(cache: QueryClient, key: QueryKey): Query[] {
  const asked = cache.getQueryCache().findAll({ queryKey: key, fetchStatus: "fetching" });
  return asked.filter((query) => query.state.data === undefined);
}

/** Prefix of every key. */
const everything: QueryKey = [];

/** Applies numbered batches of events. */
export function createEventSink(cache: QueryClient): (batch: DeskEvent) => void {
  const refresh = createRefresher(cache);
  let last: number | null = null;
  return (batch) => {
    const hasGap = last !== null && batch.seq !== last + 1;
    last = batch.seq;
    if (hasGap) refresh(everything);
    const stale = new Map<string, QueryKey>();
    for (const event of batch.events) {
      apply(cache, event);
      if (!hasGap) for (const key of staleKeys(event)) stale.set(JSON.stringify(key), key);
    }
    // Visible rows are fetched first.
    for (const event of batch.events) {
      if (event.kind === "plan" && event.revision) {
        prefetchRows(cache, event.plan, event.revision);
      }
    }
    for (const key of stale.values()) refresh(key);
    for (const event of batch.events) for (const heard of listeners) heard(event);
  };
}

let ready: Promise<void> = Promise.resolve();

/** Starts listening. The first query waits for `eventsReady`, so that no event after its answer is missed. */
export function startEvents(cache: QueryClient): void {
  const sink = createEventSink(cache);
  ready = events.deskEvent.listen((message) => sink(message.payload)).then(() => undefined);
  ready.catch(() => undefined);
}

export function eventsReady(): Promise<void> {
  return ready;
}

/** Calls `heard` for events of the window `label`. Returns a function that unsubscribes. */
export function listenToShell(label: string, heard: (news: ShellNews) => void): () => void {
  const listening = events.shellEvent.listen((message) => {
    if (message.payload.window === label) heard(message.payload.what);
  });
  return () => void listening.then((stop) => stop());
}

/** The only place that listens to the backend. Each event is mapped to the query keys that it makes stale; a gap in the numbers makes everything stale. */
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
import { askRowsAhead } from "./rowPages";

/** What an event makes stale. What it carries itself is put into the cache by `apply`. */
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
        // The same bytes can be judged anew when the workspace around them has changed.
        ...(event.revision ? [keys.at(event.plan, event.revision)] : []),
        // It may have been made anew.
        ...(event.author === "app" ? [keys.planRoute(event.plan)] : []),
      ];
    case "moved":
      // What was known under the old path is asked for under the new one; the old one has another file, or none.
      return [
        keys.plan(event.plan),
        keys.plan(event.to),
        keys.planRoute(event.plan),
        keys.planRoute(event.to),
        keys.review(event.to),
        keys.inbox,
      ];
    case "review":
      return [
        keys.review(event.plan),
        keys.approvals(event.plan),
        keys.outline(event.plan),
        // A mark tells which entry of the history is approved; a conflict may have been settled.
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

/** Puts what an event carries into the cache, and tells what only the person can use. */
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
      goOn(cache, event);
      break;
    case "workspace":
      cache.setQueryData(keys.missing(event.workspace), event.is_missing);
      break;
    case "notice":
      showToast({ tone: "info", title: asSentence(event.message) });
      break;
    default:
      break;
  }
}

/** The steps in order; one of the same number takes the place of the one before. */
function withStep(steps: RouteStep[], step: RouteStep): RouteStep[] {
  const others = steps.filter((one) => one.number !== step.number);
  return [...others, step].sort((one, other) => one.number - other.number);
}

/** A message as a line of its own. */
function asSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Adds what was said to what is known of it. Where a piece is missing, all of it is asked for. */
function goOn(cache: QueryClient, event: Extract<DesktopEvent, { kind: "talk_text" }>): void {
  const key = keys.talkLive(event.session);
  const known = cache.getQueryData<TalkLive>(key);
  // Nobody looks: who does asks for all of it.
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

/** Hears each event behind the cache; for what is told to the person. Stops with the returned function. */
export function onDesktopEvent(heard: (event: DesktopEvent) => void): () => void {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

/** Asks anew for what is stale. What is being asked for already is asked once more behind its answer, and no sooner: however many events arrive, each answer is waited for. So is what is asked for the first time, whose answer may be from before the event. */
function createRefresher(cache: QueryClient): (key: QueryKey) => void {
  const underWay = new Map<string, { again: boolean }>();
  const refresh = (key: QueryKey) => {
    const name = JSON.stringify(key);
    const before = underWay.get(name);
    if (before) {
      before.again = true;
      return;
    }
    const first = askedFirst(cache, key);
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

/** What is being asked for and was never answered; to call it stale asks for nothing more. */
function askedFirst(cache: QueryClient, key: QueryKey): Query[] {
  const asked = cache.getQueryCache().findAll({ queryKey: key, fetchStatus: "fetching" });
  return asked.filter((query) => query.state.data === undefined);
}

/** The key that every other one begins with. */
const everything: QueryKey = [];

/** Applies numbered batches; one instance for each page. */
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
    // First what is on screen.
    for (const event of batch.events) {
      if (event.kind === "plan" && event.revision) {
        askRowsAhead(cache, event.plan, event.revision);
      }
    }
    for (const key of stale.values()) refresh(key);
    for (const event of batch.events) for (const heard of listeners) heard(event);
  };
}

let ready: Promise<void> = Promise.resolve();

/** Starts listening. Queries wait for `eventsReady`, so that nothing happens unheard behind the first answer. */
export function startEvents(cache: QueryClient): void {
  const sink = createEventSink(cache);
  ready = events.deskEvent.listen((message) => sink(message.payload)).then(() => undefined);
  ready.catch(() => undefined);
}

export function eventsReady(): Promise<void> {
  return ready;
}

/** What happened to the window called `label`; the returned function stops listening. */
export function listenToShell(label: string, heard: (news: ShellNews) => void): () => void {
  const listening = events.shellEvent.listen((message) => {
    if (message.payload.window === label) heard(message.payload.what);
  });
  return () => void listening.then((stop) => stop());
}

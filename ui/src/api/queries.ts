/** One hook for each query. The content of a revision is cached permanently; current state is fetched again when an event invalidates it. With a `null` argument, nothing is fetched yet. */
import {
  keepPreviousData,
  queryOptions,
  skipToken,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { hashOf } from "../lib/hash";
import { words } from "../words";
import {
  commands,
  type Edit,
  type Row,
  type RowFilter,
  type Start,
  type StepProgress,
} from "./bindings";
import { checkText } from "./checkText";
import { ask, codeOf } from "./client";
import { readDrafts } from "./draftList";
import { eventsReady } from "./events";
import { keys } from "./keys";
import { pageSize, rowPage } from "./rowPages";
import { hasModel } from "./who";

/** Data for the first frame; fetched before anything is drawn. */
export const startQuery = queryOptions({
  queryKey: keys.start,
  queryFn: async () => {
    await eventsReady();
    const start = await ask(commands.start());
    hasModel.set(start.has_model);
    return start;
  },
});

export function useStart() {
  return useQuery(startQuery);
}

export function useWindowInfo() {
  return useQuery({ queryKey: keys.windowInfo, queryFn: () => commands.windowInfo() });
}

/** Opens the workspace if it is not open yet, and watches it. */
export function useWorkspace(workspace: string | null) {
  return useQuery({
    queryKey: keys.workspace(workspace ?? ""),
    queryFn: workspace
      ? async ({ client }) => {
          const info = await ask(commands.openWorkspace(workspace));
          // The workspace is now the first of the recent folders.
          const recent = client.getQueryData<Start>(keys.start)?.recent;
          if (recent?.[0]?.path !== info.path) {
            void client.invalidateQueries({ queryKey: keys.start });
          }
          return info;
        }
      : skipToken,
  });
}

/** Whether the workspace's folder is missing. Set by events. */
export function useIsMissing(workspace: string | null) {
  return useQuery<boolean>({ queryKey: keys.missing(workspace ?? ""), queryFn: skipToken }).data;
}

export function usePlans(workspace: string | null) {
  return useQuery({
    queryKey: keys.plans(workspace ?? ""),
    queryFn: workspace ? () => ask(commands.plans(workspace)) : skipToken,
    placeholderData: keepPreviousData,
  });
}

export function useGoalReading(workspace: string | null, goal: string) {
  return useQuery({
    queryKey: keys.goal(workspace, goal),
    queryFn: goal.trim() ? () => ask(commands.readGoal(workspace, goal)) : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 5_000,
  });
}

/** The current outline of a plan. The last one is kept while a newer one is fetched. */
export function useOutline(plan: string | null) {
  return useQuery({
    queryKey: keys.outline(plan ?? ""),
    queryFn: plan ? () => ask(commands.outline(plan, null)) : skipToken,
  });
}

/** Why the outline on screen no longer matches the file; `null` while it does. The last outline is still shown when the file is gone, so approval dialogs check this too. */
export function useGone(plan: string | null): string | null {
  const { error } = useOutline(plan);
  if (!error) return null;
  return codeOf(error) === "plan_gone" ? words.errors.planDeleted : words.errors.planUnreadable;
}

/** The origin of a plan, until it is edited. */
export function usePlanOrigin(plan: string) {
  return useQuery({
    queryKey: keys.origin(plan),
    queryFn: () => ask(commands.planOrigin(plan)),
  });
}

/** The rows of these pages, by index; a page has `pageSize` rows. `pages` must not contain duplicates. */
export function useRows(plan: string, revision: string, pages: number[]) {
  return useQueries({
    queries: pages.map((page) => rowPage(plan, revision, page * pageSize)),
    combine: (answers) => ({
      isPending: answers.some((answer) => answer.isPending),
      error: answers.find((answer) => answer.error)?.error ?? null,
      row: (index: number): Row | undefined =>
        answers[pages.indexOf(Math.floor(index / pageSize))]?.data?.rows[index % pageSize],
    }),
  });
}

/** Index of a step's row. */
export function useRowIndex(plan: string | null, revision: string | null, task: string | null) {
  return useQuery({
    queryKey: keys.rowIndex(plan ?? "", revision ?? "", task ?? ""),
    queryFn:
      plan && revision && task ? () => ask(commands.rowIndex(plan, revision, task)) : skipToken,
  });
}

export function useTask(plan: string | null, revision: string | null, task: string | null) {
  return useQuery({
    queryKey: keys.task(plan ?? "", revision ?? "", task ?? ""),
    queryFn: plan && revision && task ? () => ask(commands.task(plan, revision, task)) : skipToken,
    placeholderData: (before) => (before?.row.id === task ? before : undefined),
  });
}

export function useSection(plan: string | null, revision: string | null, section: string) {
  return useQuery({
    queryKey: keys.section(plan ?? "", revision ?? "", section),
    queryFn: plan && revision ? () => ask(commands.section(plan, revision, section)) : skipToken,
  });
}

export function useFindings(plan: string | null, revision: string | null) {
  return useQuery({
    queryKey: keys.findings(plan ?? "", revision ?? ""),
    queryFn: plan && revision ? () => ask(commands.findings(plan, revision)) : skipToken,
    placeholderData: keepPreviousData,
  });
}

export function useFindFiles(workspace: string | null, search: string) {
  return useQuery({
    queryKey: keys.files(workspace ?? "", search),
    queryFn: workspace ? () => ask(commands.findFiles(workspace, search)) : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
}

export function useFindTasks(plan: string | null, revision: string | null, search: string) {
  return useQuery({
    queryKey: keys.findTasks(plan ?? "", revision ?? "", search),
    queryFn: plan && revision ? () => ask(commands.findTasks(plan, revision, search)) : skipToken,
    placeholderData: keepPreviousData,
  });
}

export function usePreviewDelete(plan: string, revision: string, task: string | null) {
  return useQuery({
    queryKey: keys.previewDelete(plan, revision, task ?? ""),
    queryFn: task ? () => ask(commands.previewDelete(plan, revision, task)) : skipToken,
  });
}

/** The changes that an edit would make. Nothing is written. */
export function usePreviewEdit(plan: string, revision: string, edit: Edit | null) {
  return useQuery({
    queryKey: keys.previewEdit(plan, revision, edit),
    queryFn: edit ? () => ask(commands.previewEdit(plan, revision, edit)) : skipToken,
  });
}

/** The rows that match a filter; `null` without a filter. The previous answer is kept while the next one is fetched, so compare its `revision`. */
export function useRowRuns(plan: string, revision: string, filter: RowFilter | null) {
  return useQuery({
    queryKey: keys.rowRuns(plan, revision, filter),
    queryFn: filter ? () => ask(commands.rowRuns(plan, revision, filter)) : skipToken,
    placeholderData: keepPreviousData,
  });
}

export function useGraph(plan: string | null, revision: string | null) {
  return useQuery({
    queryKey: keys.graph(plan ?? "", revision ?? ""),
    queryFn: plan && revision ? () => ask(commands.graph(plan, revision)) : skipToken,
    placeholderData: (before, query) => (query?.queryKey[1] === plan ? before : undefined),
  });
}

/** The text of a revision; without one, the current text. */
export function useSource(plan: string | null, revision: string | null) {
  return useQuery({
    queryKey: revision ? keys.source(plan ?? "", revision) : keys.sourceNow(plan ?? ""),
    queryFn: plan ? () => ask(commands.source(plan, revision)) : skipToken,
  });
}

/** The result of checking a text that is being typed. Debounce the text. See also `checkText`. */
export function useTextReport(plan: string | null, text: string | null) {
  const hash = useMemo(() => (text === null ? "" : hashOf(text)), [text]);
  return useQuery({
    queryKey: keys.textReport(plan ?? "", hash),
    queryFn: plan && text !== null ? () => checkText(plan, text) : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 5_000,
  });
}

/** Known commands of the project, for completion. */
export function useKnownCommands(workspace: string | null) {
  return useQuery({
    queryKey: keys.knownCommands(workspace ?? ""),
    queryFn: workspace ? () => ask(commands.knownCommands(workspace)) : skipToken,
    staleTime: 60_000,
  });
}

/** Number of history entries per page. */
const historyPage = 50;

/** A plan's history from the newest entry on; `fetchNextPage` goes further back. */
export function useHistory(plan: string | null) {
  return useInfiniteQuery({
    queryKey: keys.history(plan ?? ""),
    queryFn: plan
      ? ({ pageParam }) => ask(commands.history(plan, pageParam, historyPage))
      : skipToken,
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap((page) => page.entries),
  });
}

/** The changes between two revisions; an empty `from` means an empty file. The previous comparison is kept while the next one is fetched. */
export function useCompare(plan: string | null, from: string | null, to: string | null) {
  return useQuery({
    queryKey: keys.compare(plan ?? "", from ?? "", to ?? ""),
    queryFn: plan && from !== null && to ? () => ask(commands.compare(plan, from, to)) : skipToken,
    placeholderData: (before, query) => (query?.queryKey[1] === plan ? before : undefined),
  });
}

/** Conflicts that wait for a person. */
export function useConflicts(plan: string | null) {
  return useQuery({
    queryKey: keys.conflicts(plan ?? ""),
    queryFn: plan ? () => ask(commands.conflicts(plan)) : skipToken,
  });
}

/** The review of a plan for which another agent is waiting. */
export function useWaitingReview(plan: string | null) {
  return useQuery({
    queryKey: keys.waitingReview(plan ?? ""),
    queryFn: plan ? () => ask(commands.waitingReview(plan)) : skipToken,
  });
}

/** Lines in all plans of a workspace that contain the words. */
export function useSearch(workspace: string | null, search: string) {
  return useQuery({
    queryKey: keys.search(workspace ?? "", search),
    queryFn:
      workspace && search.trim() ? () => ask(commands.searchPlans(workspace, search)) : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
}

/** Drafts of a plan; for a workspace's path, the draft of its goal. For one field, see `useDraft`. */
export function useDrafts(plan: string | null) {
  return useQuery({
    queryKey: keys.drafts(plan ?? ""),
    queryFn: plan ? () => readDrafts(plan) : skipToken,
  });
}

export function useComments(plan: string | null) {
  return useQuery({
    queryKey: keys.comments(plan ?? ""),
    queryFn: plan ? () => ask(commands.comments(plan)) : skipToken,
  });
}

/** The steps that an approval would allow to run. Fetched each time a dialog opens. */
export function useApproval(plan: string | null, revision: string | null, upto: string | null) {
  return useQuery({
    queryKey: keys.approval(plan ?? "", revision ?? "", upto),
    queryFn: plan && revision ? () => ask(commands.approval(plan, revision, upto)) : skipToken,
    gcTime: 0,
  });
}

export function useRun(run: string | null) {
  return useQuery({
    queryKey: keys.runView(run ?? ""),
    queryFn: run ? () => ask(commands.run(run)) : skipToken,
  });
}

/** Progress of the run's current step. Set by events. */
export function useProgress(run: string | null) {
  return useQuery<StepProgress>({ queryKey: keys.progress(run ?? ""), queryFn: skipToken }).data;
}

/** Progress of the other steps that run in parallel. Set by events. */
export function useBeside(run: string | null) {
  return useQuery<StepProgress[]>({ queryKey: keys.beside(run ?? ""), queryFn: skipToken }).data;
}

export function useRunStep(run: string | null, task: string | null) {
  return useQuery({
    queryKey: keys.runStep(run ?? "", task ?? ""),
    queryFn: run && task ? () => ask(commands.runStep(run, task)) : skipToken,
  });
}

export function useRunsOf(plan: string | null) {
  return useQuery({
    queryKey: keys.runsOf(plan ?? ""),
    queryFn: plan ? () => ask(commands.runsOf(plan)) : skipToken,
  });
}

export function useReceipt(run: string | null) {
  return useQuery({
    queryKey: keys.receipt(run ?? ""),
    queryFn: run ? () => ask(commands.receipt(run)) : skipToken,
  });
}

export function useInbox() {
  return useQuery({ queryKey: keys.inbox, queryFn: () => ask(commands.inbox()) });
}

/** The changes of a step, or of the whole run if `task` is null. */
export function useChanges(run: string | null, task: string | null) {
  return useQuery({
    queryKey: keys.changes(run ?? "", task),
    queryFn: run ? () => ask(commands.changes(run, task)) : skipToken,
    placeholderData: keepPreviousData,
  });
}

export function useFileDiff(run: string | null, task: string | null, path: string | null) {
  return useQuery({
    queryKey: keys.fileDiff(run ?? "", task, path ?? ""),
    queryFn: run && path ? () => ask(commands.fileDiff(run, task, path)) : skipToken,
  });
}

export function useSettings(workspace: string | null) {
  return useQuery({
    queryKey: keys.settings(workspace),
    queryFn: () => ask(commands.settings(workspace)),
    placeholderData: keepPreviousData,
  });
}

export function useTemplates(workspace: string | null) {
  return useQuery({
    queryKey: keys.templates(workspace),
    queryFn: () => ask(commands.templates(workspace)),
  });
}

export function useTemplate(workspace: string | null, name: string | null) {
  return useQuery({
    queryKey: keys.template(workspace, name ?? ""),
    queryFn: name ? () => ask(commands.template(workspace, name)) : skipToken,
  });
}

/** One hook for each command that changes something. Each has the title of its failure toast, which the cache shows (see cache.ts). Events invalidate queries; a hook lists only the keys that no event covers. */
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { words } from "../words";
import {
  type AnswerRequest,
  type ApproveRequest,
  type CloseChoice,
  type Code,
  type CommentPlace,
  type ConflictChoice,
  commands,
  type Edit,
  type GivenTarget,
  type GoalRequest,
  type Place,
  type PlanAnew,
  type Reviser,
  type Steering,
  type StepNote,
  type TalkInput,
  type TalkRequest,
} from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

const { failed } = words.errors;

interface CommandNotes {
  /** Codes of errors that the caller shows itself. */
  handled?: Code[];
  /** Keys to invalidate afterwards that no event covers. */
  stale?: QueryKey[];
}

/** A command as a mutation; `failure` is the title of the toast. */
function useCommand<Args, Answer>(
  failure: string,
  call: (args: Args) => Promise<Answer>,
  { handled = [], stale = [] }: CommandNotes = {},
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: call,
    meta: { failure, handled },
    onSuccess: () => {
      for (const key of stale) void cache.invalidateQueries({ queryKey: key });
    },
  });
}

/** The plan and its revision on screen. */
interface Seen {
  plan: string;
  revision: string;
}

// Workspaces and goals.

export const useOpenPath = () =>
  useCommand(failed.openPath, (path: string) => ask(commands.openPath(path)));

export const useOpenSample = () => useCommand(failed.openSample, () => ask(commands.openSample()));

export const useForgetWorkspace = () =>
  useCommand(failed.forgetWorkspace, (path: string) => ask(commands.forgetWorkspace(path)), {
    stale: [keys.start],
  });

export const useMakePlan = () =>
  useCommand(failed.makePlan, (request: GoalRequest) => ask(commands.makePlan(request)));

export const useCancelPlanning = () =>
  useCommand(failed.cancelPlanning, (job: string) => ask(commands.cancelPlanning(job)));

/** Stops planning and uses the best plan found so far. */
export const useUseWhatThereIs = () =>
  // biome-ignore lint/correctness/useHookAtTopLevel: a command with this name, not a hook
  useCommand(failed.useBestPlan, (job: string) => ask(commands.useWhatThereIs(job)));

/** Deletes the learned statistics about routes, for one kind of request with one model, or all of them. */
export const useForgetRoutes = () =>
  useCommand(
    failed.forgetRoutes,
    ({ request, model }: { request: string | null; model: string | null }) =>
      ask(commands.forgetRoutes(request, model)),
  );

/** Archives a plan, or restores it to the list. */
export const useArchivePlan = () =>
  useCommand(failed.archivePlan, ({ plan, archived }: { plan: string; archived: boolean }) =>
    ask(commands.archivePlan(plan, archived)),
  );

// Editing. A conflict with another change is an outcome, not a failure: see `EditOutcome`.

export const useEdit = () =>
  useCommand(failed.edit, ({ plan, revision, edit }: Seen & { edit: Edit }) =>
    ask(commands.edit(plan, revision, edit)),
  );

/** Restores a deleted plan file, as it was last seen. */
export const useRestorePlan = () =>
  useCommand(failed.restorePlan, (plan: string) => ask(commands.bringBack(plan)));

export const useUndoEdit = () =>
  useCommand(failed.undoEdit, (plan: string) => ask(commands.undoEdit(plan)));

export const useRedoEdit = () =>
  useCommand(failed.redoEdit, (plan: string) => ask(commands.redoEdit(plan)));

export const useApplyFix = () =>
  useCommand(
    failed.applyFix,
    ({ plan, revision, finding, option }: Seen & { finding: string; option: number }) =>
      ask(commands.applyFix(plan, revision, finding, option)),
  );

/** Mutes a finding and writes the reason into the plan. */
export const useMute = () =>
  useCommand(
    failed.mute,
    ({ plan, revision, finding, reason }: Seen & { finding: string; reason: string }) =>
      ask(commands.mute(plan, revision, finding, reason)),
  );

export const useUnmute = () =>
  useCommand(failed.unmute, ({ plan, revision, finding }: Seen & { finding: string }) =>
    ask(commands.unmute(plan, revision, finding)),
  );

/** Applies the chosen changes of an expansion as one edit. */
export const useApplyExpansion = () =>
  useCommand(failed.applyExpansion, ({ plan, revision, chosen }: Seen & { chosen: string[] }) =>
    ask(commands.applyExpansion(plan, revision, chosen)),
  );

/** Answers the open question about a plan and writes the answer into the plan. */
export const useAnswerQuestion = () =>
  useCommand(
    failed.answerQuestion,
    ({ id, option }: { id: string; option: number }) => ask(commands.answerQuestion(id, option)),
    { stale: [keys.questions, keys.inbox] },
  );

/** Writes the whole text, merged with changes by others since `revision`. */
export const useSaveText = () =>
  useCommand(failed.saveText, ({ plan, revision, text }: Seen & { text: string }) =>
    ask(commands.saveText(plan, revision, text)),
  );

/** Copies a plan from outside into the workspace; returns the copy. */
export const useCopyPlan = () =>
  useCommand(failed.copyPlan, ({ plan, workspace }: { plan: string; workspace: string }) =>
    ask(commands.copyPlan(plan, workspace)),
  );

// Revisions. `seen` is the one that was on screen.

export const useRestore = () =>
  useCommand(failed.restoreRevision, ({ plan, seen, revision }: Seen & { seen: string }) =>
    ask(commands.restore(plan, seen, revision)),
  );

export const useResolveConflict = () =>
  useCommand(
    failed.resolveConflict,
    ({ plan, id, choice }: { plan: string; id: number; choice: ConflictChoice }) =>
      ask(commands.resolveConflict(plan, id, choice)),
  );

/** Rewrites a plan for its goal, by rules or by the model. */
export const usePlanAnew = () =>
  useCommand(failed.planAnew, (request: PlanAnew) => ask(commands.planAnew(request)), {
    handled: ["cancelled"],
  });

// Review.

/** `kind`: `comment`, or `replace` to propose `text` in place of the quote. */
export const useAddComment = () =>
  useCommand(
    failed.addComment,
    ({
      plan,
      revision,
      place,
      kind = "comment",
      text,
    }: Seen & { place: CommentPlace; kind?: "comment" | "replace"; text: string }) =>
      ask(commands.addComment(plan, revision, place, kind, text)),
  );

export const useResolveComment = () =>
  useCommand(
    failed.resolveComment,
    ({ plan, id, resolved }: { plan: string; id: number; resolved: boolean }) =>
      ask(commands.resolveComment(plan, id, resolved)),
  );

/** Applies a `replace` comment to the plan. */
export const useAcceptComment = () =>
  useCommand(failed.acceptComment, ({ plan, revision, id }: Seen & { id: number }) =>
    ask(commands.acceptComment(plan, revision, id)),
  );

export const useEditComment = () =>
  useCommand(failed.editComment, ({ plan, id, text }: { plan: string; id: number; text: string }) =>
    ask(commands.editComment(plan, id, text)),
  );

export const useDeleteComment = () =>
  useCommand(failed.deleteComment, ({ plan, id }: { plan: string; id: number }) =>
    ask(commands.deleteComment(plan, id)),
  );

export const useRequestChanges = () =>
  useCommand(
    failed.requestChanges,
    ({ plan, revision, text, reviser }: Seen & { text: string; reviser: Reviser }) =>
      ask(commands.requestChanges(plan, revision, text, reviser)),
  );

// Approving and running. The dialogs show the `handled` errors themselves.

export const usePreviewNotes = () =>
  useCommand(failed.previewNotes, ({ plan, revision, notes }: Seen & { notes: StepNote[] }) =>
    ask(commands.previewNotes(plan, revision, notes)),
  );

export const useApprove = () =>
  useCommand(failed.approve, (request: ApproveRequest) => ask(commands.approve(request)), {
    handled: ["not_covered", "not_runnable", "plan_is_running", "usage"],
  });

export const useAnswer = () =>
  useCommand(failed.answer, (request: AnswerRequest) => ask(commands.answer(request)));

export const useSteer = () =>
  useCommand(failed.steer, ({ run, steering }: { run: string; steering: Steering }) =>
    ask(commands.steer(run, steering)),
  );

export const useUndoChanges = () =>
  useCommand(
    failed.undoChanges,
    ({ run, task, path }: { run: string; task: string | null; path: string | null }) =>
      ask(commands.undoChanges(run, task, path)),
  );

// Conversations with a model. Its answers arrive as events.

export const useBeginTalk = () =>
  useCommand(failed.beginTalk, (request: TalkRequest) => ask(commands.beginTalk(request)), {
    handled: ["model"],
  });

export const useSay = (handled: Code[] = []) =>
  useCommand(
    failed.say,
    ({ session, input }: { session: string; input: TalkInput }) =>
      ask(commands.say(session, input)),
    { handled },
  );

export const useStopTalk = () =>
  useCommand(failed.stopTalk, (session: string) => ask(commands.stopTalk(session)));

// Settings.

export const useSetSetting = () =>
  useCommand(failed.setSetting, ({ key, value }: { key: string; value: string | null }) =>
    ask(commands.setSetting(key, value)),
  );

export const useRevokeRule = () =>
  useCommand(failed.revokeRule, (id: string) => ask(commands.revokeRule(id)));

// The window itself.

export const useNewWindow = () => useCommand(failed.newWindow, () => ask(commands.newWindow()));

export const usePickFolder = () => useCommand(failed.pickFile, () => ask(commands.pickFolder()));

export const usePickPlan = () => useCommand(failed.pickFile, () => ask(commands.pickPlan()));

export const useShowInFolder = () =>
  useCommand(failed.showInFolder, ({ workspace, path }: { workspace: string; path: string }) =>
    ask(commands.showInFolder(workspace, path)),
  );

/** Opens a file in the user's editor, at a line if the editor supports that. */
export const useOpenInEditor = () =>
  useCommand(
    failed.openInEditor,
    ({ workspace, path, line }: { workspace: string; path: string; line: number | null }) =>
      ask(commands.openInEditor(workspace, path, line)),
  );

/** Asks for a file and writes the plan there as HTML; returns its path, `null` if none was chosen. */
export const useExportHtml = () =>
  useCommand(failed.exportHtml, ({ plan, revision }: Seen) =>
    ask(commands.exportHtml(plan, revision)),
  );

export const useOpenLink = () =>
  useCommand(failed.openLink, (address: string) => ask(commands.openLink(address)));

export const useAnswerClose = () =>
  useCommand(failed.answerClose, (choice: CloseChoice) => ask(commands.answerClose(choice)));

// Called in the background, without a user action. The caller decides whether a failure is shown.

export function savePlace(place: Place): Promise<null> {
  return ask(commands.savePlace(place));
}

/** Stops computing a plan's expansion; its query then fails with `cancelled`. */
export function cancelExpansion(plan: string): Promise<null> {
  return ask(commands.cancelExpansion(plan));
}

export function setTitle(title: string): Promise<null> {
  return ask(commands.setTitle(title));
}

export function setZoom(percent: number): Promise<null> {
  return ask(commands.setZoom(percent));
}

export function closeWindow(): Promise<null> {
  return ask(commands.closeWindow());
}

export function takeTarget(): Promise<GivenTarget | null> {
  return ask(commands.takeTarget());
}

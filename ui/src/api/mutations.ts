/** What the window does: one hook for each command that changes something. Each names the title of its failure; the cache tells it (see cache.ts). What becomes stale is told by events; only what they do not tell stands here. */
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type AnswerRequest,
  type ApproveRequest,
  type CloseChoice,
  type Code,
  type CommentPlace,
  type ConflictChoice,
  commands,
  type Edit,
  type GoalRequest,
  type Place,
  type PlanAnew,
  type Steering,
  type StepNote,
  type TalkInput,
  type TalkRequest,
} from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

interface CommandNotes {
  /** Codes that the caller shows itself. */
  handled?: Code[];
  /** What is asked again behind it, where no event tells of it. */
  stale?: QueryKey[];
}

/** A command as a mutation; `failure` heads the toast. */
function useCommand<Given, Answer>(
  failure: string,
  call: (given: Given) => Promise<Answer>,
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

/** The plan and the revision that the person saw. */
interface Seen {
  plan: string;
  revision: string;
}

// Workspaces and goals.

export const useOpenPath = () =>
  useCommand("It was not opened", (path: string) => ask(commands.openPath(path)));

export const useOpenSample = () =>
  useCommand("The sample was not opened", () => ask(commands.openSample()));

export const useForgetWorkspace = () =>
  useCommand("The folder is still listed", (path: string) => ask(commands.forgetWorkspace(path)), {
    stale: [keys.start],
  });

export const useMakePlan = () =>
  useCommand("No plan was written", (request: GoalRequest) => ask(commands.makePlan(request)));

export const useCancelPlanning = () =>
  useCommand("Planning goes on", (job: string) => ask(commands.cancelPlanning(job)));

/** Ends the looking and trying; what there is becomes the plan. */
export const useUseWhatThereIs = () =>
  // biome-ignore lint/correctness/useHookAtTopLevel: a command that is called so, and no hook
  useCommand("Planning goes on", (job: string) => ask(commands.useWhatThereIs(job)));

/** Forgets what was learned of routes: of one kind of request with one model, or all. */
export const useForgetRoutes = () =>
  useCommand(
    "Nothing was forgotten",
    ({ request, model }: { request: string | null; model: string | null }) =>
      ask(commands.forgetRoutes(request, model)),
  );

// Editing. An edit that somebody else's change stands against is no failure: see `EditOutcome`.

export const useEdit = () =>
  useCommand("The edit was not made", ({ plan, revision, edit }: Seen & { edit: Edit }) =>
    ask(commands.edit(plan, revision, edit)),
  );

/** Writes a plan whose file is gone again, as it was seen last. */
export const useBringBack = () =>
  useCommand("The plan was not brought back", (plan: string) => ask(commands.bringBack(plan)));

export const useUndoEdit = () =>
  useCommand("Nothing was taken back", (plan: string) => ask(commands.undoEdit(plan)));

export const useRedoEdit = () =>
  useCommand("Nothing was made again", (plan: string) => ask(commands.redoEdit(plan)));

export const useApplyFix = () =>
  useCommand(
    "The fix was not applied",
    ({ plan, revision, finding, option }: Seen & { finding: string; option: number }) =>
      ask(commands.applyFix(plan, revision, finding, option)),
  );

/** Writes into the plan that a finding is known, and why it stays. */
export const useMute = () =>
  useCommand(
    "The finding was not muted",
    ({ plan, revision, finding, reason }: Seen & { finding: string; reason: string }) =>
      ask(commands.mute(plan, revision, finding, reason)),
  );

export const useUnmute = () =>
  useCommand("The finding stays muted", ({ plan, revision, finding }: Seen & { finding: string }) =>
    ask(commands.unmute(plan, revision, finding)),
  );

/** Takes some of the changes that an expansion offered, as one edit. */
export const useApplyExpansion = () =>
  useCommand(
    "The changes were not made",
    ({ plan, revision, chosen }: Seen & { chosen: string[] }) =>
      ask(commands.applyExpansion(plan, revision, chosen)),
  );

/** Answers the open question about a plan: what the answer says is written into it. */
export const useAnswerQuestion = () =>
  useCommand(
    "The answer was not written",
    ({ id, option }: { id: string; option: number }) => ask(commands.answerQuestion(id, option)),
    { stale: [keys.questions, keys.inbox] },
  );

/** Writes the whole text, merged into what others wrote since `revision`. */
export const useSaveText = () =>
  useCommand("The text was not saved", ({ plan, revision, text }: Seen & { text: string }) =>
    ask(commands.saveText(plan, revision, text)),
  );

/** Copies a plan from outside into the workspace; answers the copy. */
export const useCopyPlan = () =>
  useCommand(
    "The plan was not copied",
    ({ plan, workspace }: { plan: string; workspace: string }) =>
      ask(commands.copyPlan(plan, workspace)),
  );

// Versions. `seen` is the revision that was on screen.

export const useRestore = () =>
  useCommand("The version was not restored", ({ plan, seen, revision }: Seen & { seen: string }) =>
    ask(commands.restore(plan, seen, revision)),
  );

export const useResolveConflict = () =>
  useCommand(
    "The conflict is not settled",
    ({ plan, id, choice }: { plan: string; id: number; choice: ConflictChoice }) =>
      ask(commands.resolveConflict(plan, id, choice)),
  );

/** Has a plan written anew for its goal, by rules or by the model. */
export const usePlanAnew = () =>
  useCommand("The plan is as it was", (request: PlanAnew) => ask(commands.planAnew(request)), {
    handled: ["cancelled"],
  });

// Review.

/** `kind`: `comment`, or `replace`: the quoted words should read as the text. */
export const useAddComment = () =>
  useCommand(
    "The comment was not kept",
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
    "The comment stays as it was",
    ({ plan, id, resolved }: { plan: string; id: number; resolved: boolean }) =>
      ask(commands.resolveComment(plan, id, resolved)),
  );

/** Writes what a `replace` comment asks for into the plan. */
export const useAcceptComment = () =>
  useCommand("The words were not replaced", ({ plan, revision, id }: Seen & { id: number }) =>
    ask(commands.acceptComment(plan, revision, id)),
  );

export const useEditComment = () =>
  useCommand(
    "The comment was not changed",
    ({ plan, id, text }: { plan: string; id: number; text: string }) =>
      ask(commands.editComment(plan, id, text)),
  );

export const useDeleteComment = () =>
  useCommand("The comment was not deleted", ({ plan, id }: { plan: string; id: number }) =>
    ask(commands.deleteComment(plan, id)),
  );

export const useRequestChanges = () =>
  useCommand("The request was not sent", ({ plan, revision, text }: Seen & { text: string }) =>
    ask(commands.requestChanges(plan, revision, text)),
  );

// Approving and running. Dialogs show these refusals in place, beside what they are about.

export const usePreviewNotes = () =>
  useCommand(
    "The notes cannot be shown",
    ({ plan, revision, notes }: Seen & { notes: StepNote[] }) =>
      ask(commands.previewNotes(plan, revision, notes)),
  );

export const useApprove = () =>
  useCommand("Nothing was approved", (request: ApproveRequest) => ask(commands.approve(request)), {
    handled: ["not_covered", "not_runnable", "plan_is_running", "usage"],
  });

export const useAnswer = () =>
  useCommand("The answer was not taken", (request: AnswerRequest) => ask(commands.answer(request)));

export const useSteer = () =>
  useCommand("The run was not changed", ({ run, steering }: { run: string; steering: Steering }) =>
    ask(commands.steer(run, steering)),
  );

export const useUndoChanges = () =>
  useCommand(
    "Nothing was put back",
    ({ run, task, path }: { run: string; task: string | null; path: string | null }) =>
      ask(commands.undoChanges(run, task, path)),
  );

// Talking with a model. What a model answers is told by events.

export const useBeginTalk = () =>
  useCommand(
    "The model was not asked",
    (request: TalkRequest) => ask(commands.beginTalk(request)),
    { handled: ["model"] },
  );

export const useSay = (handled: Code[] = []) =>
  useCommand(
    "It was not said",
    ({ session, input }: { session: string; input: TalkInput }) =>
      ask(commands.say(session, input)),
    { handled },
  );

export const useStopTalk = () =>
  useCommand("The model goes on", (session: string) => ask(commands.stopTalk(session)));

// Settings.

export const useSetSetting = () =>
  useCommand(
    "The setting was not changed",
    ({ key, value }: { key: string; value: string | null }) => ask(commands.setSetting(key, value)),
  );

export const useRevokeRule = () =>
  useCommand("The rule still holds", (id: string) => ask(commands.revokeRule(id)));

// The window itself.

export const useNewWindow = () =>
  useCommand("No further window was opened", () => ask(commands.newWindow()));

export const usePickFolder = () =>
  useCommand("The dialog was not opened", () => ask(commands.pickFolder()));

export const usePickPlan = () =>
  useCommand("The dialog was not opened", () => ask(commands.pickPlan()));

export const useShowInFolder = () =>
  useCommand(
    "The folder was not shown",
    ({ workspace, path }: { workspace: string; path: string }) =>
      ask(commands.showInFolder(workspace, path)),
  );

export const useOpenLink = () =>
  useCommand("The link was not opened", (address: string) => ask(commands.openLink(address)));

export const useAnswerClose = () =>
  useCommand("The window stays", (choice: CloseChoice) => ask(commands.answerClose(choice)));

// Written by the page itself, without a person waiting for it: told by their caller or not at all.

export function savePlace(place: Place): Promise<null> {
  return ask(commands.savePlace(place));
}

export function saveDraft(
  plan: string,
  key: string,
  text: string,
  revision: string | null,
): Promise<null> {
  return ask(commands.saveDraft(plan, key, text, revision));
}

/** Stops working out what a plan could grow by; its question then fails with `cancelled`. */
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

export function takePath(): Promise<string | null> {
  return commands.takePath();
}

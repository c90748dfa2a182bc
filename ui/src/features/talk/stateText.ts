/** Describes the state of a conversation in words. */
import type { TalkView, TalkWork } from "../../api/bindings";
import { words } from "../../words";

const { composer, phases, reply, troubleHints, troubles } = words.talk;

/** Describes what the model is doing, in a few words. */
export function workText(work: TalkWork | null): string {
  if (!work) return reply.starting;
  if (work.is_stopping) return reply.stopping;
  const phase = phases[work.phase] ?? work.phase;
  return work.words ? reply.phase(phase, work.words) : phase;
}

export const troubleTitle = (kind: string) => troubles[kind] ?? troubles.other ?? kind;

export const troubleHint = (kind: string) => troubleHints[kind] ?? troubleHints.other ?? "";

/** Whether an error can be fixed in the Models section of the settings. */
export const isFixedInSettings = (kind: string) =>
  ["no_model", "key", "unknown_model", "unreachable", "endpoint", "window"].includes(kind);

/** The placeholder of the message box. */
export function placeholder(talk: TalkView): string {
  if (talk.state === "working") return composer.workingPlaceholder;
  if (talk.asks === "permission") return composer.permissionPlaceholder;
  if (talk.asks) return composer.questionPlaceholder;
  return talk.mode === "exec" ? composer.execPlaceholder : composer.planPlaceholder;
}

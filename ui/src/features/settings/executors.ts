/** Describes what an executor may access and its time limit. */
import type { ExecutorView } from "../../api/bindings";
import { words } from "../../words";

export function executorWords(executor: Omit<ExecutorView, "name" | "line">): string {
  const { network, env, timeout_s: seconds } = executor;
  const text = words.settings.executors;
  return [
    network ? text.network : text.noNetwork,
    ...(env.length > 0 ? [text.variables(env)] : []),
    seconds % 60 === 0 ? text.upToMinutes(seconds / 60) : text.upToSeconds(seconds),
  ].join(", ");
}

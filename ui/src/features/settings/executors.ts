/** What a command is granted that steps can be handed over to, in words. */
import type { ExecutorView } from "../../api/bindings";

export function executorWords(executor: Omit<ExecutorView, "name" | "line">): string {
  const { network, env, timeout_s: seconds } = executor;
  return [
    network ? "with the network" : "without the network",
    ...(env.length > 0 ? [`with ${env.join(", ")} of your environment`] : []),
    `for at most ${seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`}`,
  ].join(", ");
}

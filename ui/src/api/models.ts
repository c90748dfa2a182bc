/** Queries and mutations for the configured model. The `models` event invalidates them. */
import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { words } from "../words";
import { commands, type ModelChoice } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

const { failed } = words.errors;

/** The configured models and what is known about them. */
export function useModels() {
  return useQuery({ queryKey: keys.models, queryFn: () => ask(commands.models()) });
}

/** Whether the key of the current model is available; may wait for the keyring. */
export function useModelKey() {
  return useQuery({ queryKey: keys.modelKey, queryFn: () => ask(commands.modelKey()) });
}

/** Model servers that respond on this machine. */
export function useFoundModels() {
  return useQuery({
    queryKey: keys.foundModels,
    queryFn: () => ask(commands.findModels()),
    staleTime: 15_000,
  });
}

/** Models that a server lists; `null` while no server is chosen. */
export function useServerModels(baseUrl: string | null, keyVariable: string | null) {
  return useQuery({
    queryKey: keys.serverModels(baseUrl ?? "", keyVariable),
    queryFn: baseUrl ? () => ask(commands.serverModels(baseUrl, keyVariable)) : skipToken,
    staleTime: 15_000,
  });
}

/** The running test or probe of the current model. */
export function useModelJob() {
  return useQuery({ queryKey: keys.modelJob, queryFn: () => ask(commands.modelJob()) });
}

/** A command as a mutation; `failure` is the title of the toast. */
function useModelCommand<Args, Answer>(failure: string, call: (args: Args) => Promise<Answer>) {
  return useMutation({ mutationFn: call, meta: { failure } });
}

export const useChooseModel = () =>
  useModelCommand(failed.chooseModel, (choice: ModelChoice | null) =>
    ask(commands.chooseModel(choice)),
  );

export interface ModelKey {
  variable: string;
  key: string;
  inKeyring: boolean;
}

export const useKeepModelKey = () =>
  useModelCommand(failed.keepModelKey, ({ variable, key, inKeyring }: ModelKey) =>
    ask(commands.keepModelKey(variable, key, inKeyring)),
  );

export const useForgetModelKey = () =>
  useModelCommand(failed.forgetModelKey, (variable: string) =>
    ask(commands.forgetModelKey(variable)),
  );

export const useTryModel = () => useModelCommand(failed.tryModel, () => ask(commands.tryModel()));

export const useProbeModel = () =>
  useModelCommand(failed.probeModel, () => ask(commands.probeModel()));

export const useCancelModelJob = () =>
  useModelCommand(failed.cancelModelJob, () => ask(commands.cancelModelJob()));

export const useOverruleModel = () =>
  useModelCommand(failed.overruleModel, ({ name, value }: { name: string; value: string | null }) =>
    ask(commands.overruleModel(name, value)),
  );

export const useForgetModel = () =>
  useModelCommand(failed.forgetModel, () => ask(commands.forgetModel()));

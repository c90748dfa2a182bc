/** Which model is asked: what the window asks about it and does with it. What becomes stale is told by the event `models`. */
import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { commands, type ModelChoice } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** What is configured and what is known of it. */
export function useModels() {
  return useQuery({ queryKey: keys.models, queryFn: () => ask(commands.models()) });
}

/** Whether the key of the model in force is there; may wait for the keyring. */
export function useModelKey() {
  return useQuery({ queryKey: keys.modelKey, queryFn: () => ask(commands.modelKey()) });
}

/** The model servers that answer on this machine. */
export function useFoundModels() {
  return useQuery({
    queryKey: keys.foundModels,
    queryFn: () => ask(commands.findModels()),
    staleTime: 15_000,
  });
}

/** What a server lists; `null`: no server is chosen yet. */
export function useServerModels(baseUrl: string | null, keyVariable: string | null) {
  return useQuery({
    queryKey: keys.serverModels(baseUrl ?? "", keyVariable),
    queryFn: baseUrl ? () => ask(commands.serverModels(baseUrl, keyVariable)) : skipToken,
    staleTime: 15_000,
  });
}

/** What is under way with the model in force. */
export function useModelJob() {
  return useQuery({ queryKey: keys.modelJob, queryFn: () => ask(commands.modelJob()) });
}

/** A command as a mutation; `failure` heads the toast. */
function useModelCommand<Given, Answer>(failure: string, call: (given: Given) => Promise<Answer>) {
  return useMutation({ mutationFn: call, meta: { failure } });
}

export const useChooseModel = () =>
  useModelCommand("The model was not chosen", (choice: ModelChoice | null) =>
    ask(commands.chooseModel(choice)),
  );

export interface GivenKey {
  variable: string;
  key: string;
  inKeyring: boolean;
}

export const useKeepModelKey = () =>
  useModelCommand("The key was not stored", ({ variable, key, inKeyring }: GivenKey) =>
    ask(commands.keepModelKey(variable, key, inKeyring)),
  );

export const useForgetModelKey = () =>
  useModelCommand("The key is still stored", (variable: string) =>
    ask(commands.forgetModelKey(variable)),
  );

export const useTryModel = () =>
  useModelCommand("The connection was not tried", () => ask(commands.tryModel()));

export const useProbeModel = () =>
  useModelCommand("The model was not probed", () => ask(commands.probeModel()));

export const useCancelModelJob = () =>
  useModelCommand("It goes on", () => ask(commands.cancelModelJob()));

export const useOverruleModel = () =>
  useModelCommand(
    "The value was not changed",
    ({ name, value }: { name: string; value: string | null }) =>
      ask(commands.overruleModel(name, value)),
  );

export const useForgetModel = () =>
  useModelCommand("What was found is still kept", () => ask(commands.forgetModel()));

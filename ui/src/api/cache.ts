/** The query cache. Answers are kept until an event invalidates them. Shows a toast when a mutation fails. */
import { MutationCache, QueryClient } from "@tanstack/react-query";
import { showToast } from "../lib/toast";
import type { Code } from "./bindings";
import { type ApiError, codeOf, isInternal } from "./client";
import { reportFault } from "./fault";

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: ApiError;
    mutationMeta: {
      /** Title of the toast when the mutation fails: "Couldn't delete the step". */
      failure: string;
      /** Codes of errors that the caller shows itself, without a toast. */
      handled?: Code[];
    };
  }
}

/** How long answers that no component uses are kept, in milliseconds. */
const keptMs = 120_000;

export function createCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Only events invalidate answers; they never expire.
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: keptMs,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        const title = mutation.meta?.failure;
        if (isInternal(error)) {
          reportFault(error, title);
          return;
        }
        const code = codeOf(error);
        if (title && !(code && mutation.meta?.handled?.includes(code))) {
          showToast({ tone: "bad", title, message: error.message });
        }
      },
    }),
  });
}

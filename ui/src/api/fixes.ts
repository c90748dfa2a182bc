/** Previews of a finding's fixes; option 0 is the recommended one. */
import { queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { commands, type FixPreview } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

const previewQuery = (plan: string, revision: string, finding: string | null, option: number) =>
  queryOptions({
    queryKey: keys.previewFix(plan, revision, finding ?? "", option),
    queryFn: finding ? () => ask(commands.previewFix(plan, revision, finding, option)) : skipToken,
  });

/** The changes that a fix would make. Nothing is fetched while the finding is `null`. */
export function usePreviewFix(
  plan: string,
  revision: string,
  finding: string | null,
  option: number,
) {
  return useQuery(previewQuery(plan, revision, finding, option));
}

/** Fetches a preview on demand. Resolves to `null` if there is none; the preview dialog says why. */
export function useReadFixPreview() {
  const cache = useQueryClient();
  return useCallback(
    (plan: string, revision: string, finding: string, option: number): Promise<FixPreview | null> =>
      cache.fetchQuery(previewQuery(plan, revision, finding, option)).catch(() => null),
    [cache],
  );
}

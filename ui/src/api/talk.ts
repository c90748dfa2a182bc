/** What the window asks about conversations with a model: one hook for each question. A `null` argument means: not yet, do not ask. What was proposed and what was called are fetched when they are opened. */
import { skipToken, useQueries, useQuery } from "@tanstack/react-query";
import { commands, type TalkRow } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** Rows in one page. */
export const talkPageSize = 50;

/** The conversation about a plan; `null` where there was none yet. */
export function useTalkOf(plan: string | null) {
  return useQuery({
    queryKey: keys.talkOf(plan ?? ""),
    queryFn: plan ? () => ask(commands.talkOf(plan)) : skipToken,
  });
}

export function useTalk(session: string | null) {
  return useQuery({
    queryKey: keys.talkView(session ?? ""),
    queryFn: session ? () => ask(commands.talk(session)) : skipToken,
  });
}

/** The conversations of a workspace, the newest first. */
export function useTalks(workspace: string | null) {
  return useQuery({
    queryKey: keys.talks(workspace ?? ""),
    queryFn: workspace ? () => ask(commands.talks(workspace)) : skipToken,
  });
}

/** The rows on these pages. */
export function useTalkRows(session: string, pages: number[]) {
  return useQueries({
    queries: pages.map((page) => ({
      queryKey: keys.talkRows(session, page * talkPageSize),
      queryFn: () => ask(commands.talkRows(session, page * talkPageSize, talkPageSize)),
    })),
    combine: (answers) => ({
      error: answers.find((answer) => answer.error)?.error ?? null,
      retry: () => {
        for (const answer of answers) if (answer.error) void answer.refetch();
      },
      isPending: answers.some((answer) => answer.isPending),
      row: (index: number): TalkRow | undefined =>
        answers[pages.indexOf(Math.floor(index / talkPageSize))]?.data?.rows[index % talkPageSize],
    }),
  });
}

/** What is being said and is no row yet. */
export function useTalkLive(session: string | null) {
  return useQuery({
    queryKey: keys.talkLive(session ?? ""),
    queryFn: session ? () => ask(commands.talkLive(session)) : skipToken,
    // It goes on while nobody looks, and no event of that time is kept.
    gcTime: 0,
    staleTime: 0,
  });
}

export function useTalkCall(session: string, call: string | null) {
  return useQuery({
    queryKey: keys.talkCall(session, call ?? ""),
    queryFn: call ? () => ask(commands.talkCall(session, call)) : skipToken,
  });
}

export function useTalkProposal(session: string, row: number | null) {
  return useQuery({
    queryKey: keys.talkProposal(session, row ?? -1),
    queryFn: row === null ? skipToken : () => ask(commands.talkProposal(session, row)),
  });
}

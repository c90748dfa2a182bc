/** Queries about conversations with a model. With a `null` argument, nothing is fetched yet. Proposals and tool calls are fetched when they are opened. */
import { skipToken, useQueries, useQuery } from "@tanstack/react-query";
import { commands, type TalkRow } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** Number of conversation rows per page. */
export const talkPageSize = 50;

/** The conversation about a plan; `null` if there is none. */
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

/** The conversations of a workspace, newest first. */
export function useTalks(workspace: string | null) {
  return useQuery({
    queryKey: keys.talks(workspace ?? ""),
    queryFn: workspace ? () => ask(commands.talks(workspace)) : skipToken,
  });
}

/** The rows of these pages. */
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

/** The reply being written, before it becomes a row. */
export function useTalkLive(session: string | null) {
  return useQuery({
    queryKey: keys.talkLive(session ?? ""),
    queryFn: session ? () => ask(commands.talkLive(session)) : skipToken,
    // Not cached while no component shows it, because events about its growth are dropped then.
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

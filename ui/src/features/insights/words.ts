/** The words for who wrote a revision and how an expansion ended. */

const authors: Record<string, string> = {
  person: "by a person",
  model: "by a model",
  app: "by Planwright",
  outside: "from outside",
};

export const authorWord = (author: string) => authors[author] ?? author;

/** `stopped_budget` as a person says it; `none` says nothing. */
export function endWords(status: string, reason: string): string {
  const said = reason && reason !== "none" ? reason : status;
  return said.replaceAll("_", " ");
}

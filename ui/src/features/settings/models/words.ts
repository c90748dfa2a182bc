/** Words of the models section. */
import type { ModelInForce, ProfileField } from "../../../api/bindings";

/** 4096 as “4k”: windows are powers of two more often than not. */
export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  const thousand = count % 1_000 !== 0 && count % 1_024 === 0 ? 1_024 : 1_000;
  return `${Math.round(count / thousand)}k`;
}

/** Where a value of the profile is from. */
export const sources: Record<
  string,
  { words: string; about: string; tone: "plain" | "accent" | "warn" | "yours" }
> = {
  name: { words: "by its name", about: "A guess by the model's name", tone: "plain" },
  probe: { words: "found", about: "Found by the probe, or told by the server", tone: "accent" },
  counters: { words: "from use", about: "Lowered by what it did in earnest", tone: "warn" },
  user: { words: "yours", about: "You say so", tone: "yours" },
};

const choices: Record<string, string> = {
  low: "low",
  medium: "medium",
  high: "high",
  upfront: "whole plan at once",
  hybrid: "outline first",
  iterative: "next steps only",
  native: "as calls",
  json_text: "as text",
  replace: "replaces pieces",
  whole_file: "writes files whole",
  none: "not at all",
  minimal: "as little as it can",
};

/** A choice as people read it; “” is what need not be said. */
export function choiceWords(choice: string): string {
  return choice === "" ? "not said" : (choices[choice] ?? choice);
}

/** A value of the profile as people read it. */
export function valueWords(field: ProfileField, json: string): string {
  const value: unknown = parse(json);
  if (value === null) return field.kind === "fixed" ? "not measured" : "not said";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    return field.kind === "fixed" ? `${Math.round(value)} a second` : String(value);
  }
  return choiceWords(String(value));
}

export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Who says which endpoint it is. */
export function saidBy(model: ModelInForce): string {
  const words: Record<string, string> = {
    settings: "your settings",
    environment: "the environment",
    flag: "the command line",
  };
  const model_from = words[model.model_from] ?? model.model_from;
  const base_url_from = words[model.base_url_from] ?? model.base_url_from;
  return model_from === base_url_from
    ? `from ${model_from}`
    : `the address from ${base_url_from}, the model from ${model_from}`;
}

/** A name for the key of an endpoint elsewhere: keys of two servers must not have one name. */
export function keyNameFor(baseUrl: string): string {
  const host = /^https?:\/\/([^/:]+)/.exec(baseUrl.trim())?.[1] ?? "";
  const words = host.replace(/^(api|www)\./, "").replace(/\.(com|org|net|io|ai|dev)$/, "");
  const name = words
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return name === "" ? "MODEL_API_KEY" : `${name}_API_KEY`;
}

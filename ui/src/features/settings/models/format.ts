/** Text for a model's figures, profile and origin, and the suggested name of an endpoint's API key. */
import type { ModelInForce, ProfileField } from "../../../api/bindings";
import { words } from "../../../words";

const text = words.settings.profile;

/** A number of tokens in short form: 4096 as `4k`, 128000 as `128k`. Context windows are multiples of 1024 or of 1000. */
export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  const thousand = count % 1_000 !== 0 && count % 1_024 === 0 ? 1_024 : 1_000;
  return `${Math.round(count / thousand)}k`;
}

/** The text of a choice; “not set” for an empty one. */
export function choiceLabel(choice: string): string {
  return choice === "" ? text.notSet : (text.choices[choice] ?? choice);
}

/** The text of a profile value, given as JSON. */
export function valueLabel(field: ProfileField, json: string): string {
  const value: unknown = parse(json);
  if (value === null) return field.kind === "fixed" ? text.notMeasured : text.notSet;
  if (typeof value === "boolean") return value ? text.yes : text.no;
  if (typeof value === "number") {
    // A fixed number is the model's speed: no other number is read-only.
    return field.kind === "fixed" ? text.tokensPerSecond(Math.round(value)) : String(value);
  }
  return choiceLabel(String(value));
}

export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Text that says where the endpoint's address and model are set. */
export function endpointOrigin(model: ModelInForce): string {
  const { origins, from, fromBoth } = words.settings.currentModel;
  const address = origins[model.base_url_from] ?? model.base_url_from;
  const name = origins[model.model_from] ?? model.model_from;
  return name === address ? from(name) : fromBoth(address, name);
}

/** A variable name for the key of an endpoint, taken from its host, so that two servers don't share one. */
export function keyNameFor(baseUrl: string): string {
  const host = /^https?:\/\/([^/:]+)/.exec(baseUrl.trim())?.[1] ?? "";
  const domain = host.replace(/^(api|www)\./, "").replace(/\.(com|org|net|io|ai|dev)$/, "");
  const name = domain
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return name === "" ? "MODEL_API_KEY" : `${name}_API_KEY`;
}

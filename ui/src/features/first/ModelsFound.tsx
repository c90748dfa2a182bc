/** The current model, or the models found on this machine, on the first screen. */
import { IconCpu } from "@tabler/icons-react";
import { useChooseModel, useFoundModels, useModels } from "../../api/models";
import { Chip } from "../../components/Chip";
import { CommandLine } from "../../components/ModelTrouble";
import { words } from "../../words";
import { tokens } from "../settings/models/format";
import { openModels } from "../settings/models/openModels";
import styles from "./FirstScreen.module.css";

/** Maximum number of models on the card. */
const shownModels = 4;

const text = words.first.models;

export function ModelsFound() {
  const models = useModels();
  const found = useFoundModels();
  const { mutate: choose, isPending } = useChooseModel();
  const model = models.data?.in_force;
  const all = (found.data ?? []).flatMap((server) =>
    server.models.map((listed) => ({ server, listed })),
  );
  const others = all.filter(({ listed }) => !listed.in_force);
  return (
    <section className={styles.card} aria-label={text.label}>
      <h2 className={styles.heading}>{model ? text.current : text.found}</h2>
      {models.data?.problem && <p>{models.data.problem.message}</p>}
      {model && (
        <>
          <p className={styles.model}>
            <IconCpu size={17} aria-hidden />
            <span className="pw-break pw-slim">
              {model.preset_name} · {model.model}
            </span>
            <Chip tone={model.too_small ? "warn" : "plain"}>
              {text.contextWindow(tokens(model.window))}
            </Chip>
          </p>
          {model.too_small && (
            <div className="pw-hint pw-break">
              <p>{model.too_small.line ? text.tooSmallWithFix : text.tooSmall}</p>
              {model.too_small.line && <CommandLine line={model.too_small.line} />}
            </div>
          )}
        </>
      )}
      {!model && (found.isPending || models.isPending) && (
        <p className="pw-hint pw-break" role="status">
          {text.searching}
        </p>
      )}
      {!model && found.isError && (
        <p className="pw-hint pw-break" role="alert">
          {found.error.message}{" "}
          <button type="button" className={styles.link} onClick={() => void found.refetch()}>
            {text.searchAgain}
          </button>
        </p>
      )}
      {!model && found.isSuccess && all.length === 0 && (
        <p className="pw-hint pw-break">{text.none}</p>
      )}
      {!model && others.length > 0 && (
        <ul className="pw-list">
          {others.slice(0, shownModels).map(({ server, listed }) => (
            <li key={`${server.base_url} ${listed.id}`} className={styles.model}>
              <IconCpu size={17} aria-hidden />
              <span className="pw-break pw-slim">
                {server.name} · {listed.id}
              </span>
              {listed.window !== null && <Chip>{text.contextWindow(tokens(listed.window))}</Chip>}
              <button
                type="button"
                className={styles.link}
                disabled={isPending}
                aria-label={text.labelOfUse(listed.id, server.name)}
                onClick={() =>
                  choose({ base_url: server.base_url, model: listed.id, key_variable: null })
                }
              >
                {text.use}
              </button>
            </li>
          ))}
        </ul>
      )}
      {!model && others.length > shownModels && (
        <p className="pw-hint pw-break">{text.more(others.length - shownModels)}</p>
      )}
      <button type="button" className={styles.link} onClick={openModels}>
        {model || others.length > 0 ? text.chooseAnother : text.addEndpoint}
      </button>
    </section>
  );
}

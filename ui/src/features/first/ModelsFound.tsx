/** The model in force, or the models found on this machine, on the first screen. */
import { IconCpu } from "@tabler/icons-react";
import { useChooseModel, useFoundModels, useModels } from "../../api/models";
import { Chip } from "../../components/Chip";
import { CommandLine } from "../../components/ModelTrouble";
import { openModels } from "../settings/models/openModels";
import { tokens } from "../settings/models/words";
import styles from "./FirstScreen.module.css";

/** As many as the card holds. */
const shownModels = 4;

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
    <section className={styles.card} aria-label="Models found">
      <h2 className={styles.heading}>{model ? "Model" : "Models found"}</h2>
      {models.data?.problem && <p>{models.data.problem.message}</p>}
      {model && (
        <>
          <p className={styles.model}>
            <IconCpu size={17} aria-hidden />
            <span className={styles.modelName}>
              {model.preset_name} · {model.model}
            </span>
            <Chip tone={model.too_small ? "warn" : "plain"}>window {tokens(model.window)}</Chip>
          </p>
          {model.too_small && (
            <div className={styles.small}>
              <p>
                Too small to plan with.
                {model.too_small.line ? " A larger window is one line:" : ""}
              </p>
              {model.too_small.line && <CommandLine line={model.too_small.line} />}
            </div>
          )}
        </>
      )}
      {!model && (found.isPending || models.isPending) && (
        <p className={styles.small} role="status">
          Looking on this machine…
        </p>
      )}
      {!model && found.isError && (
        <p className={styles.small} role="alert">
          {found.error.message}{" "}
          <button type="button" className={styles.link} onClick={() => void found.refetch()}>
            Look again
          </button>
        </p>
      )}
      {!model && found.isSuccess && all.length === 0 && (
        <p className={styles.small}>
          No model server answers on this machine. Start one, or name an endpoint elsewhere.
        </p>
      )}
      {!model && others.length > 0 && (
        <ul className={styles.models}>
          {others.slice(0, shownModels).map(({ server, listed }) => (
            <li key={`${server.base_url} ${listed.id}`} className={styles.model}>
              <IconCpu size={17} aria-hidden />
              <span className={styles.modelName}>
                {server.name} · {listed.id}
              </span>
              {listed.window !== null && <Chip>window {tokens(listed.window)}</Chip>}
              <button
                type="button"
                className={styles.link}
                disabled={isPending}
                aria-label={`Use ${listed.id} of ${server.name}`}
                onClick={() =>
                  choose({ base_url: server.base_url, model: listed.id, key_variable: null })
                }
              >
                Use
              </button>
            </li>
          ))}
        </ul>
      )}
      {!model && others.length > shownModels && (
        <p className={styles.small}>and {others.length - shownModels} more</p>
      )}
      <button type="button" className={styles.link} onClick={openModels}>
        {model || others.length > 0 ? "Choose another one" : "Add an endpoint"}
      </button>
    </section>
  );
}

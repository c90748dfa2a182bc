/** The model in force: where it is, what its window holds, whether its key is there, and whether it answers. */
import { Button, Loader } from "@mantine/core";
import { IconCpu } from "@tabler/icons-react";
import type { ModelInForce } from "../../../api/bindings";
import {
  useCancelModelJob,
  useChooseModel,
  useModelJob,
  useModelKey,
  useTryModel,
} from "../../../api/models";
import { Chip } from "../../../components/Chip";
import { Code } from "../../../components/Code";
import { ModelTrouble } from "../../../components/ModelTrouble";
import styles from "./Models.module.css";
import { saidBy, tokens } from "./words";

export function InForce({ model }: { model: ModelInForce }) {
  const key = useModelKey().data;
  const job = useModelJob().data;
  const { mutate: choose, isPending: isChoosing } = useChooseModel();
  const trial = useTryModel();
  const { mutate: cancel } = useCancelModelJob();
  const isTrying = trial.isPending || job?.kind === "trial";
  const keyIsAmiss = key?.source === "missing" || key?.source === "locked";
  const take = (name: string) =>
    choose({ base_url: model.base_url, model: name, key_variable: model.key_variable });
  const shownTrial = trial.data && !trial.isPending ? trial.data : null;
  return (
    <div className={styles.card} role="group" aria-label="The model in force">
      <p className={styles.head}>
        <IconCpu size={18} aria-hidden />
        <span className={styles.name}>
          {model.preset_name} · {model.model}
        </span>
        <Chip tone={model.too_small ? "warn" : "plain"}>window {tokens(model.window)}</Chip>
      </p>
      <p className={styles.dim}>
        <Code>{model.base_url}</Code> {saidBy(model)}
      </p>
      <p className={styles.dim}>
        Window: {model.window.toLocaleString("en")} tokens ({model.window_from}
        {model.window_trained
          ? `; the model could have ${model.window_trained.toLocaleString("en")}`
          : ""}
        )
      </p>
      {key && <p className={keyIsAmiss ? styles.bad : styles.dim}>{key.message}</p>}
      {model.refuses.length > 0 && (
        <p className={styles.dim}>
          The server refuses {model.refuses.join(", ")}; that is not sent any more.
        </p>
      )}
      {model.too_small && shownTrial?.problem?.kind !== model.too_small.kind && (
        <ModelTrouble problem={model.too_small} />
      )}
      <div role="status" aria-live="polite">
        {isTrying && (
          <p className={styles.busy}>
            <Loader size={14} /> Asking {model.model}. A model that is being loaded takes a while.
          </p>
        )}
        {shownTrial && !shownTrial.problem && <p className={styles.good}>{shownTrial.message}</p>}
      </div>
      {shownTrial?.problem && <ModelTrouble problem={shownTrial.problem} onTake={take} />}
      <div className={styles.buttons}>
        {isTrying ? (
          <Button size="xs" variant="default" onClick={() => cancel()}>
            Cancel
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => trial.mutate()}>
            Try the connection
          </Button>
        )}
        {model.base_url_from === "settings" && (
          <Button
            size="xs"
            variant="subtle"
            loading={isChoosing}
            onClick={() => choose(null)}
            aria-label={`Use no model: take ${model.model} out of the settings`}
          >
            Use no model
          </Button>
        )}
      </div>
    </div>
  );
}

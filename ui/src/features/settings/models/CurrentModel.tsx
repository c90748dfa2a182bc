/** The current model: its address, context window and key, and a test of its connection. */
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
import { words } from "../../../words";
import { endpointOrigin, tokens } from "./format";
import styles from "./Models.module.css";

const text = words.settings.currentModel;

export function CurrentModel({ model }: { model: ModelInForce }) {
  const key = useModelKey().data;
  const job = useModelJob().data;
  const { mutate: choose, isPending: isChoosing } = useChooseModel();
  const test = useTryModel();
  const { mutate: cancel } = useCancelModelJob();
  const isTesting = test.isPending || job?.kind === "trial";
  const isKeyUnusable = key?.source === "missing" || key?.source === "locked";
  const use = (name: string) =>
    choose({ base_url: model.base_url, model: name, key_variable: model.key_variable });
  const result = test.data && !test.isPending ? test.data : null;
  const size = model.window.toLocaleString("en");
  return (
    <div className={styles.card} role="group" aria-label={text.label}>
      <p className="pw-wrap pw-gap-8">
        <IconCpu size={18} aria-hidden />
        <span className="pw-break pw-bold">
          {model.preset_name} · {model.model}
        </span>
        <Chip tone={model.too_small ? "warn" : "plain"}>
          {words.settings.models.window(tokens(model.window))}
        </Chip>
      </p>
      <p className={styles.dim}>
        <Code>{model.base_url}</Code> {endpointOrigin(model)}
      </p>
      <p className={styles.dim}>
        {model.window_trained
          ? text.windowBelowMax(size, model.window_from, model.window_trained.toLocaleString("en"))
          : text.window(size, model.window_from)}
      </p>
      {key && <p className={isKeyUnusable ? styles.bad : styles.dim}>{key.message}</p>}
      {model.refuses.length > 0 && <p className={styles.dim}>{text.refused(model.refuses)}</p>}
      {model.too_small && result?.problem?.kind !== model.too_small.kind && (
        <ModelTrouble problem={model.too_small} />
      )}
      <div role="status" aria-live="polite">
        {isTesting && (
          <p className="pw-row pw-hint pw-gap-8">
            <Loader size={14} /> {text.testing(model.model)}
          </p>
        )}
        {result && !result.problem && <p className={styles.good}>{result.message}</p>}
      </div>
      {result?.problem && <ModelTrouble problem={result.problem} onTake={use} />}
      <div className="pw-wrap pw-gap-8">
        {isTesting ? (
          <Button size="xs" variant="default" onClick={() => cancel()}>
            {words.settings.models.cancel}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => test.mutate()}>
            {text.test}
          </Button>
        )}
        {model.base_url_from === "settings" && (
          <Button
            size="xs"
            variant="subtle"
            loading={isChoosing}
            onClick={() => choose(null)}
            aria-label={text.disconnectLabel(model.model)}
          >
            {text.disconnect}
          </Button>
        )}
      </div>
    </div>
  );
}

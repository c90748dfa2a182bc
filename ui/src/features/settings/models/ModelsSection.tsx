/** Settings → Models: the current model, the models to choose from, the probe and the model's capabilities. */
import { useModels } from "../../../api/models";
import { ModelTrouble } from "../../../components/ModelTrouble";
import { ErrorState, Loading } from "../../../components/States";
import { words } from "../../../words";
import { ChooseModel } from "./ChooseModel";
import { CurrentModel } from "./CurrentModel";
import styles from "./Models.module.css";
import { modelsHeading } from "./openModels";
import { Probe } from "./Probe";
import { Profile } from "./Profile";

export function ModelsSection() {
  const models = useModels();
  const view = models.data;
  const model = view?.in_force;
  return (
    <section className={styles.section} aria-labelledby={modelsHeading}>
      <h2 id={modelsHeading} className={styles.heading} tabIndex={-1}>
        {words.settings.sections.models}
      </h2>
      <p className={styles.dim}>{words.settings.models.about}</p>
      {models.isError && (
        <ErrorState
          title={words.settings.models.loadFailed}
          error={models.error}
          onRetry={() => void models.refetch()}
        />
      )}
      {models.isPending && <Loading lines={4} label={words.settings.models.loading} />}
      {view?.problem && <ModelTrouble problem={view.problem} />}
      {model && <CurrentModel model={model} />}
      {view && <ChooseModel view={view} />}
      {model && (
        <>
          <Probe model={model} />
          <Profile model={model} />
        </>
      )}
    </section>
  );
}

/** Settings → Models: the endpoint in force, what this machine has, how to choose another one, and how far the model is trusted. */
import { useModels } from "../../../api/models";
import { ModelTrouble } from "../../../components/ModelTrouble";
import { ErrorState, Loading } from "../../../components/States";
import { ChooseModel } from "./ChooseModel";
import { InForce } from "./InForce";
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
        Models
      </h2>
      <p className={styles.dim}>
        One model is asked at a time, at an endpoint that you choose. No workspace can name one.
        Without a model, templates and rules plan, and commands run as ever.
      </p>
      {models.isError && (
        <ErrorState
          title="What is known of models cannot be read"
          error={models.error}
          onRetry={() => void models.refetch()}
        />
      )}
      {models.isPending && <Loading lines={4} label="Loading models" />}
      {view?.problem && <ModelTrouble problem={view.problem} />}
      {model && <InForce model={model} />}
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

/** The first screen: the goal box with its requirements, the models found on this machine, the sample, and the recent folders. */

import { Button } from "@mantine/core";
import { usePlans, useStart, useWorkspace } from "../../api/queries";
import { usePlace } from "../../app/place";
import { ErrorState } from "../../components/States";
import { words } from "../../words";
import { OpenTalks } from "../talk/OpenTalks";
import styles from "./FirstScreen.module.css";
import { GoalBox } from "./GoalBox";
import { ModelsFound } from "./ModelsFound";
import { Recent } from "./Recent";
import { useOpening } from "./useOpening";

const text = words.first;

export default function FirstScreen() {
  const place = usePlace();
  const workspace = useWorkspace(place.workspace);
  const start = useStart().data;
  const plans = usePlans(place.workspace).data?.plans;
  const { chooseFolder, openSample, isOpeningSample } = useOpening();

  if (place.workspace && workspace.isError) {
    return (
      <ErrorState
        title={text.folderErrorTitle}
        error={workspace.error}
        onRetry={() => void workspace.refetch()}
      >
        <Button onClick={chooseFolder}>{text.openAnotherFolder}</Button>
      </ErrorState>
    );
  }

  return (
    <div className={styles.first}>
      <h1 className={styles.title}>{text.title}</h1>
      <p className={styles.lead}>{text.lead}</p>
      <GoalBox workspace={workspace.data ?? null} />
      <div className={styles.cards}>
        <ModelsFound />
        <section className={styles.card} aria-label={text.noModelTitle}>
          <h2 className={styles.heading}>{text.noModelTitle}</h2>
          <p>{text.noModelHint}</p>
          <button
            type="button"
            className={styles.link}
            onClick={openSample}
            aria-disabled={isOpeningSample}
          >
            {isOpeningSample ? text.openingSample : text.openSample}
          </button>
        </section>
      </div>
      <OpenTalks workspace={place.workspace} />
      <Recent folders={start?.recent ?? []} current={place.workspace} plans={plans?.length ?? 0} />
    </div>
  );
}

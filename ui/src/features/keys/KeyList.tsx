/** The available actions with their keys, by group. */
import { type Action, type ActionGroup, actions, availableActions } from "../../app/keys";
import { Kbd } from "../../components/Kbd";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import styles from "./KeyList.module.css";

export function KeyList() {
  const registered = useStore(actions);
  const groups = new Map<ActionGroup, Action[]>();
  for (const action of availableActions(registered)) {
    groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  }
  return (
    <div className={styles.groups}>
      {[...groups].map(([group, list]) => (
        <section key={group} className={styles.group} aria-label={words.app.groups[group]}>
          <h3 className={styles.heading}>{words.app.groups[group]}</h3>
          <dl className={styles.list}>
            {list.map((action) => (
              <div key={action.id} className={styles.row}>
                <dt>{action.title}</dt>
                <dd>
                  <Kbd keys={action.keys} small />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

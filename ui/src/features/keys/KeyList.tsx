/** Every action that can be done now with its key, by group. */
import { type Action, actions, availableActions } from "../../app/keys";
import { Kbd } from "../../components/Kbd";
import { useStore } from "../../lib/store";
import styles from "./KeyList.module.css";

export function KeyList() {
  const registered = useStore(actions);
  const groups = new Map<string, Action[]>();
  for (const action of availableActions(registered)) {
    groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  }
  return (
    <div className={styles.groups}>
      {[...groups].map(([group, list]) => (
        <section key={group} className={styles.group} aria-label={group}>
          <h3 className={styles.heading}>{group}</h3>
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

/** The recent folders, each with its number of plans and how many wait for the user. */
import { IconFolder, IconFolderOff, IconX } from "@tabler/icons-react";
import type { RecentWorkspace } from "../../api/bindings";
import { useForgetWorkspace } from "../../api/mutations";
import { openWorkspace, setPlace } from "../../app/place";
import { IconButton } from "../../components/IconButton";
import { words } from "../../words";
import styles from "./Recent.module.css";

const text = words.first.recent;

interface RecentProps {
  folders: RecentWorkspace[];
  current: string | null;
  /** The number of plans in the open workspace. */
  plans: number;
}

export function Recent({ folders, current, plans }: RecentProps) {
  const { mutate: forget } = useForgetWorkspace();
  if (folders.length === 0) return null;
  return (
    <section className={styles.recent} aria-label={text.label}>
      <h2 className={styles.heading}>{text.title}</h2>
      <ul className={styles.list}>
        {folders.map((folder) => (
          <li key={folder.path} className={styles.item}>
            <button
              type="button"
              className={styles.folder}
              disabled={folder.is_missing}
              aria-current={folder.path === current ? "true" : undefined}
              title={folder.path}
              onClick={() =>
                folder.path === current && plans > 0
                  ? setPlace({ screen: "first" })
                  : openWorkspace(folder.path)
              }
            >
              {folder.is_missing ? <IconFolderOff size={17} /> : <IconFolder size={17} />}
              <span className="pw-cut pw-slim">{folder.shown}</span>
              <span className={styles.count}>· {describe(folder)}</span>
            </button>
            <IconButton
              label={text.remove(folder.shown)}
              size={24}
              onClick={() => forget(folder.path)}
            >
              <IconX size={13} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describe(folder: RecentWorkspace): string {
  if (folder.is_missing) return text.missing;
  if (folder.plans === null) return text.unreadable;
  return text.plans(folder.plans, folder.waiting);
}

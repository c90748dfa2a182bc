/** The folders opened before, with what waits in them. */
import { IconFolder, IconFolderOff, IconX } from "@tabler/icons-react";
import type { RecentWorkspace } from "../../api/bindings";
import { useForgetWorkspace } from "../../api/mutations";
import { openWorkspace, setPlace } from "../../app/place";
import { IconButton } from "../../components/IconButton";
import styles from "./Recent.module.css";

interface RecentProps {
  folders: RecentWorkspace[];
  current: string | null;
  /** How many plans the open workspace has now. */
  plans: number;
}

export function Recent({ folders, current, plans }: RecentProps) {
  const { mutate: forget } = useForgetWorkspace();
  if (folders.length === 0) return null;
  return (
    <section className={styles.recent} aria-label="Recent folders">
      <h2 className={styles.heading}>Recent</h2>
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
              <span className={styles.name}>{folder.shown}</span>
              <span className={styles.count}>· {describe(folder)}</span>
            </button>
            <IconButton
              label={`Take ${folder.shown} off this list`}
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
  if (folder.is_missing) return "the folder is gone";
  if (folder.plans === null) return "cannot be read";
  const plans = folder.plans === 1 ? "1 plan" : `${folder.plans} plans`;
  return folder.waiting > 0 ? `${plans}, ${folder.waiting} waiting` : plans;
}

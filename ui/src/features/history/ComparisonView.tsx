/** What differs between two versions, as tasks or as text. */
import { Button } from "@mantine/core";
import { IconEqual } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { useCompare } from "../../api/queries";
import { Diff } from "../../components/Diff";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import styles from "./History.module.css";
import { TaskCards } from "./TaskCards";

export type Shown = "tasks" | "text";

interface ComparisonViewProps {
  plan: string;
  /** Empty: from nothing, as the first version came. */
  from: string | null;
  to: string | null;
  shown: Shown;
  onShown?: (shown: Shown) => void;
  onTask?: (task: string) => void;
  /** Lines of text before it scrolls by itself; left out: it does not. */
  height?: number;
}

/** A comparison is long and never changes: it is drawn once. */
const Lines = memo(Diff);
const Cards = memo(TaskCards);

/** As much as the backend ever sends. */
const whole = 100_000;

export function ComparisonView(props: ComparisonViewProps) {
  const { plan, from, to, shown, onShown, onTask, height = whole } = props;
  const isSame = from !== null && from === to;
  const compared = useCompare(isSame ? null : plan, from, to);
  if (isSame) return <Nothing>Both versions hold the same text.</Nothing>;
  if (compared.isError) {
    return (
      <ErrorState
        title="The versions cannot be compared"
        error={compared.error}
        onRetry={() => void compared.refetch()}
      />
    );
  }
  const { data } = compared;
  if (!data) return <Loading lines={5} label="Comparing" />;
  if (data.lines.length === 0 && data.tasks.length === 0 && data.around.length === 0) {
    return <Nothing>No line differs.</Nothing>;
  }
  const hasCards = data.tasks.length > 0 || data.around.length > 0;
  return (
    <div className={styles.compared} aria-busy={compared.isPlaceholderData}>
      {shown === "text" ? (
        <div className={styles.text}>
          <Lines lines={data.lines} label="Changed lines" height={height} />
          {data.is_cut && (
            <p className={styles.cut}>
              More lines differ than are shown. The tasks view counts them by task.
            </p>
          )}
        </div>
      ) : (
        <>
          {!hasCards && (
            <p className={styles.note}>
              No task changed; the text around them did.{" "}
              {onShown && (
                <Button size="compact-xs" variant="subtle" onClick={() => onShown("text")}>
                  Show the text
                </Button>
              )}
            </p>
          )}
          <Cards comparison={data} onTask={onTask} />
        </>
      )}
    </div>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return (
    <EmptyState icon={<IconEqual size={26} />} title="Nothing differs">
      {children}
    </EmptyState>
  );
}

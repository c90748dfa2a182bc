/** The changes between two revisions, by step or as text. */
import { Button } from "@mantine/core";
import { IconEqual } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { useCompare } from "../../api/queries";
import { Diff } from "../../components/Diff";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import styles from "./History.module.css";
import { TaskCards } from "./TaskCards";

const text = words.history.comparison;

export type Shown = "tasks" | "text";

interface ComparisonViewProps {
  plan: string;
  /** If empty, the comparison is with an empty file, as for the first revision. */
  from: string | null;
  to: string | null;
  shown: Shown;
  onShown?: (shown: Shown) => void;
  onTask?: (task: string) => void;
  /** Maximum number of visible lines; unlimited by default. */
  height?: number;
}

// Memoized, because a comparison can be long and never changes.
const Lines = memo(Diff);
const Cards = memo(TaskCards);

/** A number of lines that the backend never exceeds. */
const allLines = 100_000;

export function ComparisonView(props: ComparisonViewProps) {
  const { plan, from, to, shown, onShown, onTask, height = allLines } = props;
  const isSame = from !== null && from === to;
  const compared = useCompare(isSame ? null : plan, from, to);
  if (isSame) return <NoDifferences>{text.sameRevision}</NoDifferences>;
  if (compared.isError) {
    return (
      <ErrorState
        title={text.failed}
        error={compared.error}
        onRetry={() => void compared.refetch()}
      />
    );
  }
  const { data } = compared;
  if (!data) return <Loading lines={5} label={text.loading} />;
  if (data.lines.length === 0 && data.tasks.length === 0 && data.around.length === 0) {
    return <NoDifferences>{text.sameLines}</NoDifferences>;
  }
  const hasCards = data.tasks.length > 0 || data.around.length > 0;
  return (
    <div className={styles.compared} aria-busy={compared.isPlaceholderData}>
      {shown === "text" ? (
        <div className="pw-card pw-clip">
          <Lines lines={data.lines} label={text.lines} height={height} />
          {data.is_cut && <p className={styles.cut}>{text.linesCut}</p>}
        </div>
      ) : (
        <>
          {!hasCards && (
            <p className={styles.note}>
              {text.noStepsChanged}{" "}
              {onShown && (
                <Button size="compact-xs" variant="subtle" onClick={() => onShown("text")}>
                  {text.showText}
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

function NoDifferences({ children }: { children: ReactNode }) {
  return (
    <EmptyState icon={<IconEqual size={26} />} title={text.same}>
      {children}
    </EmptyState>
  );
}

/** The Insights screen: adequacy by revision, expansions, findings, approvals, and route results. All data is stored only on this machine. */
import { IconChartLine } from "@tabler/icons-react";
import { useState } from "react";
import { useInsights } from "../../api/adequacy";
import { usePlans } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Choice } from "../../components/Choice";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { AdequacyPlot } from "./AdequacyPlot";
import { Approvals } from "./Approvals";
import { Expansions } from "./Expansions";
import { FindingBars } from "./FindingBars";
import styles from "./Insights.module.css";
import { Routes } from "./Routes";

const text = words.insights;

export default function InsightsScreen() {
  const { workspace, plan: open } = usePlace();
  const [chosen, setChosen] = useState<string | null>(open);
  const list = usePlans(workspace);
  const plans = list.data?.plans ?? [];
  // Ignores the filter if its plan isn't in this workspace or was deleted.
  const plan = plans.some((one) => one.plan === chosen) ? chosen : null;
  const isListed = list.data !== undefined || list.isError;
  const insights = useInsights(isListed ? workspace : null, plan);
  const { data } = insights;
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <h1 className="pw-heading">{text.title}</h1>
        {plans.length > 0 && (
          <Choice
            label={text.plan}
            shown={text.plan}
            value={plan ?? ""}
            options={[
              { value: "", title: text.allPlans },
              ...plans.map((one) => ({ value: one.plan, title: one.title || one.path })),
            ]}
            onChange={(one) => setChosen(one || null)}
          />
        )}
      </div>
      <p className={styles.lead}>{text.lead}</p>
      {!workspace ? (
        <EmptyState icon={<IconChartLine size={26} />} title={text.noFolderTitle}>
          {text.noFolderHint}
        </EmptyState>
      ) : insights.isError ? (
        <ErrorState
          title={text.errorTitle}
          error={insights.error}
          onRetry={() => void insights.refetch()}
        />
      ) : !data ? (
        <Loading lines={6} label={text.loading} />
      ) : data.points.length +
          data.expansions.length +
          data.findings.length +
          data.approvals.given ===
        0 ? (
        <EmptyState icon={<IconChartLine size={26} />} title={text.emptyTitle}>
          {text.emptyHint}
        </EmptyState>
      ) : (
        <div className={styles.parts} aria-busy={insights.isPlaceholderData || undefined}>
          <section aria-labelledby="insights-adequacy">
            <h2 id="insights-adequacy" className={styles.heading}>
              {text.adequacy.title}
            </h2>
            {data.points.length > 0 ? (
              <AdequacyPlot key={plan} points={data.points} more={data.more} />
            ) : (
              <p className={styles.dim}>{text.adequacy.empty}</p>
            )}
          </section>
          <section aria-labelledby="insights-expansions">
            <h2 id="insights-expansions" className={styles.heading}>
              {text.expansions.title}
            </h2>
            {data.expansions.length > 0 ? (
              <Expansions expansions={data.expansions} />
            ) : (
              <p className={styles.dim}>{text.expansions.empty}</p>
            )}
          </section>
          <section aria-labelledby="insights-findings">
            <h2 id="insights-findings" className={styles.heading}>
              {text.findings.title}
            </h2>
            {data.findings.length > 0 ? (
              <FindingBars findings={data.findings} />
            ) : (
              <p className={styles.dim}>{text.findings.empty}</p>
            )}
          </section>
          <section aria-labelledby="insights-approvals">
            <h2 id="insights-approvals" className={styles.heading}>
              {text.approvals.title}
            </h2>
            <Approvals approvals={data.approvals} />
          </section>
        </div>
      )}
      {workspace && <Routes />}
    </div>
  );
}

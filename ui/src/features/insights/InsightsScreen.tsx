/** How plans fared: adequacy over their revisions, what expansions brought, what people do about findings, and what was learned of the ways in which plans are made. Kept on this machine alone. */
import { IconChartLine } from "@tabler/icons-react";
import { useState } from "react";
import { useInsights } from "../../api/adequacy";
import { usePlans } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Choice } from "../../components/Choice";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { AdequacyPlot } from "./AdequacyPlot";
import { Approvals } from "./Approvals";
import { Expansions } from "./Expansions";
import { FindingBars } from "./FindingBars";
import styles from "./Insights.module.css";
import { Routes } from "./Routes";

export default function InsightsScreen() {
  const { workspace, plan: open } = usePlace();
  const [chosen, setChosen] = useState<string | null>(open);
  const list = usePlans(workspace);
  const plans = list.data?.plans ?? [];
  // A plan that is not of this workspace, or is gone, filters nothing.
  const plan = plans.some((one) => one.plan === chosen) ? chosen : null;
  const isListed = list.data !== undefined || list.isError;
  const insights = useInsights(isListed ? workspace : null, plan);
  const { data } = insights;
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <h1 className={styles.title}>Insights</h1>
        {plans.length > 0 && (
          <Choice
            label="Plan"
            shown="Plan"
            value={plan ?? ""}
            options={[
              { value: "", title: "All plans" },
              ...plans.map((one) => ({ value: one.plan, title: one.title || one.path })),
            ]}
            onChange={(one) => setChosen(one || null)}
          />
        )}
      </div>
      <p className={styles.lead}>
        How adequate plans were, revision by revision, and what was done about it. Kept on this
        machine alone.
      </p>
      {!workspace ? (
        <EmptyState icon={<IconChartLine size={26} />} title="No folder is open">
          Open a folder with plans to see how they fared.
        </EmptyState>
      ) : insights.isError ? (
        <ErrorState
          title="The insights cannot be shown"
          error={insights.error}
          onRetry={() => void insights.refetch()}
        />
      ) : !data ? (
        <Loading lines={6} label="Reading the insights" />
      ) : data.points.length +
          data.expansions.length +
          data.findings.length +
          data.approvals.given ===
        0 ? (
        <EmptyState icon={<IconChartLine size={26} />} title="Nothing to show yet">
          Rows come about by working: each revision of a plan that is judged is a point here, each
          expansion a line, and each finding that is fixed, muted or overridden is counted.
        </EmptyState>
      ) : (
        <div className={styles.parts} aria-busy={insights.isPlaceholderData || undefined}>
          <section aria-labelledby="insights-adequacy">
            <h2 id="insights-adequacy" className={styles.heading}>
              Adequacy over revisions
            </h2>
            {data.points.length > 0 ? (
              <AdequacyPlot key={plan} points={data.points} more={data.more} />
            ) : (
              <p className={styles.dim}>No revision has been judged yet: edit the plan.</p>
            )}
          </section>
          <section aria-labelledby="insights-expansions">
            <h2 id="insights-expansions" className={styles.heading}>
              Expansions, before and after
            </h2>
            {data.expansions.length > 0 ? (
              <Expansions expansions={data.expansions} />
            ) : (
              <p className={styles.dim}>
                No plan was expanded yet. “Expand…” is in the findings and in the bar.
              </p>
            )}
          </section>
          <section aria-labelledby="insights-findings">
            <h2 id="insights-findings" className={styles.heading}>
              What is done about findings
            </h2>
            {data.findings.length > 0 ? (
              <FindingBars findings={data.findings} />
            ) : (
              <p className={styles.dim}>Nothing was found, fixed, muted or overridden yet.</p>
            )}
          </section>
          <section aria-labelledby="insights-approvals">
            <h2 id="insights-approvals" className={styles.heading}>
              Approvals
            </h2>
            <Approvals approvals={data.approvals} />
          </section>
        </div>
      )}
      {workspace && <Routes />}
    </div>
  );
}

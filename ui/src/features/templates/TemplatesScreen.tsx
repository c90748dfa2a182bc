/** The Templates screen: each template with its purpose, its text, and an example goal to start from. */
import { Button } from "@mantine/core";
import { IconTemplate } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { TemplateView } from "../../api/bindings";
import { saveDraft } from "../../api/draftList";
import { keys } from "../../api/keys";
import { useTemplate, useTemplates } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Chip } from "../../components/Chip";
import { Code } from "../../components/Code";
import { Dialog } from "../../components/Dialog";
import { Inline } from "../../components/Inline";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { chosenTemplate } from "../first/planning";
import { newPlan } from "../plans/PlanList";
import styles from "./TemplatesScreen.module.css";

const texts = words.templates;

export default function TemplatesScreen() {
  const { workspace } = usePlace();
  const templates = useTemplates(workspace);
  const [viewed, setViewed] = useState<string | null>(null);
  const use = useUse(workspace);
  return (
    <div className={styles.screen}>
      <h1 className="pw-heading">{texts.title}</h1>
      <p className={styles.lead}>{texts.lead}</p>
      {templates.isError ? (
        <ErrorState
          title={texts.listFailed}
          error={templates.error}
          onRetry={() => void templates.refetch()}
        />
      ) : !templates.data ? (
        <Loading />
      ) : templates.data.length === 0 ? (
        <EmptyState icon={<IconTemplate size={26} />} title={texts.emptyTitle}>
          <Inline>{texts.empty}</Inline>
        </EmptyState>
      ) : (
        <ul className="pw-list pw-column pw-gap-8">
          {templates.data.map((template) => (
            <TemplateRow
              key={`${template.source}:${template.name}`}
              template={template}
              onView={() => setViewed(template.name)}
              onUse={() => use(template)}
            />
          ))}
        </ul>
      )}
      <TemplateText workspace={workspace} name={viewed} onClose={() => setViewed(null)} />
    </div>
  );
}

/** Goes to the goal field with the template selected. Its example is filled in unless there is already a draft. */
function useUse(workspace: string | null) {
  const cache = useQueryClient();
  return useMemo(
    () => (template: TemplateView) => {
      chosenTemplate.set(template.name);
      const draft = cache
        .getQueryData<{ key: string; text: string }[]>(keys.drafts(workspace ?? ""))
        ?.find((draft) => draft.key === "goal")?.text;
      if (workspace && !draft?.trim() && template.example) {
        void saveDraft(workspace, "goal", template.example, null)
          .then(() => cache.invalidateQueries({ queryKey: keys.drafts(workspace) }))
          .catch(() => undefined)
          .finally(newPlan);
      } else newPlan();
    },
    [cache, workspace],
  );
}

interface TemplateRowProps {
  template: TemplateView;
  onView: () => void;
  onUse: () => void;
}

function TemplateRow({ template, onView, onUse }: TemplateRowProps) {
  const source = texts.sources[template.source];
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <div className={styles.head}>
          <span className="pw-bold">{template.name}</span>
          <Chip tone={source ? "plain" : "accent"}>{source ?? template.source}</Chip>
          {template.steps > 0 && (
            <span className={styles.steps}>{texts.steps(template.steps)}</span>
          )}
        </div>
        {template.description && <p>{template.description}</p>}
        {template.parameters.length > 0 && (
          <p className={styles.facts}>
            {texts.parameters}{" "}
            {template.parameters.map((name) => (
              <Code key={name}>{name}</Code>
            ))}
          </p>
        )}
        {template.example && <p className={styles.facts}>“{template.example}”</p>}
        {template.problem && (
          <p className={styles.problem} role="status">
            {texts.unusable(template.problem)}
          </p>
        )}
      </div>
      <div className={styles.buttons}>
        <Button
          variant="subtle"
          size="xs"
          onClick={onView}
          aria-label={texts.viewTemplate(template.name)}
        >
          {texts.view}
        </Button>
        <Button
          variant="light"
          size="xs"
          onClick={onUse}
          disabled={template.problem !== null}
          aria-label={texts.useTemplate(template.name)}
        >
          {texts.use}
        </Button>
      </div>
    </li>
  );
}

interface TemplateTextProps {
  workspace: string | null;
  name: string | null;
  onClose: () => void;
}

function TemplateText({ workspace, name, onClose }: TemplateTextProps) {
  const template = useTemplate(workspace, name);
  return (
    <Dialog opened={name !== null} onClose={onClose} title={name ?? ""} size={720}>
      {template.isError ? (
        <ErrorState title={texts.textFailed} error={template.error} />
      ) : template.data ? (
        <Code block lines={28} label={texts.textLabel(template.data.name)}>
          {template.data.markdown}
        </Code>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

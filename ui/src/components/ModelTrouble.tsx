/** A problem with a model and how to fix it: in Settings, and where a request failed. */
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconCopy } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { ModelProblem } from "../api/bindings";
import { writeClipboard } from "../lib/clipboard";
import { words } from "../words";
import { Code } from "./Code";
import styles from "./ModelTrouble.module.css";

interface ModelTroubleProps {
  problem: ModelProblem;
  /** Selects another of the server's models. */
  onTake?: (model: string) => void;
  /** Further buttons. */
  children?: ReactNode;
}

export function ModelTrouble({ problem, onTake, children }: ModelTroubleProps) {
  return (
    <div className={styles.trouble} role="alert" data-kind={problem.kind}>
      <p className="pw-row pw-gap-8 pw-bold">
        <IconAlertTriangle size={16} aria-hidden />
        <span>{problem.title}</span>
      </p>
      <p className={styles.message}>{problem.message}</p>
      {problem.help.length > 0 && (
        <ul className={styles.help}>
          {problem.help.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {problem.line && <CommandLine line={problem.line} />}
      {problem.models.length > 0 && (
        <div className={styles.models} role="group" aria-label={words.components.model.onServer}>
          {problem.models.map((model) =>
            onTake ? (
              <Button key={model} variant="default" size="compact-xs" onClick={() => onTake(model)}>
                {words.components.model.use(model)}
              </Button>
            ) : (
              <Code key={model}>{model}</Code>
            ),
          )}
        </div>
      )}
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  );
}

/** A command line that fixes the problem, with a copy button. */
export function CommandLine({ line }: { line: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    writeClipboard(line).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <div className={styles.line}>
      <Code>{line}</Code>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
        onClick={() => void copy()}
        aria-label={words.components.model.copyLine(line)}
      >
        {copied ? words.components.model.copied : words.components.model.copy}
      </Button>
      <span className="pw-sr" role="status">
        {copied ? words.components.model.copied : ""}
      </span>
    </div>
  );
}

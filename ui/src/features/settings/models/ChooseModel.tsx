/** Choosing a model: one from a server on this machine, or one at any other address. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { ModelsView } from "../../../api/bindings";
import { useChooseModel, useFoundModels } from "../../../api/models";
import { Chip } from "../../../components/Chip";
import { CommandLine } from "../../../components/ModelTrouble";
import { ErrorState, Loading } from "../../../components/States";
import { words } from "../../../words";
import { EndpointForm } from "./EndpointForm";
import { tokens } from "./format";
import styles from "./Models.module.css";

const text = words.settings.chooseModel;

export function ChooseModel({ view }: { view: ModelsView }) {
  const found = useFoundModels();
  const { mutate: choose, isPending } = useChooseModel();
  const [isOpen, setOpen] = useState(false);
  const servers = found.data ?? [];
  const isSetByEnvironment = view.in_force?.base_url_from === "environment";
  return (
    <>
      {isSetByEnvironment && <p className={styles.beside}>{text.setByEnvironment}</p>}
      <div className={styles.part}>
        <div className="pw-row pw-between pw-gap-8">
          <h3 className={styles.subheading}>{text.title}</h3>
          <Button
            size="compact-xs"
            variant="subtle"
            loading={found.isFetching}
            onClick={() => void found.refetch()}
          >
            {text.refresh}
          </Button>
        </div>
        {found.isPending && <Loading lines={2} label={text.loading} />}
        {found.isError && (
          <ErrorState
            title={text.failed}
            error={found.error}
            onRetry={() => void found.refetch()}
          />
        )}
        {found.isSuccess && servers.length === 0 && <p className={styles.dim}>{text.none}</p>}
        {servers.map((server) => (
          <div key={server.base_url} className={styles.server}>
            <p className={styles.serverName}>
              {server.name} <span className={styles.dim}>{server.base_url}</span>
            </p>
            {server.models.length === 0 && (
              <>
                <p className={styles.dim}>{text.noModels}</p>
                {server.fetch_line && <CommandLine line={server.fetch_line} />}
              </>
            )}
            <ul className="pw-list" aria-label={text.list(server.name)}>
              {server.models.map((model) => (
                <li key={model.id} className={styles.model}>
                  <span className={styles.modelName}>{model.id}</span>
                  {model.window !== null && (
                    <Chip>{words.settings.models.window(tokens(model.window))}</Chip>
                  )}
                  {model.in_force ? (
                    <Chip tone="good">{words.settings.models.inUse}</Chip>
                  ) : (
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={isPending}
                      aria-label={text.chooseLabel(model.id, server.name)}
                      onClick={() =>
                        choose({ base_url: server.base_url, model: model.id, key_variable: null })
                      }
                    >
                      {text.use}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={styles.part}>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className={styles.toggle}
        >
          {text.addEndpoint}
        </Button>
        {isOpen && <EndpointForm view={view} onDone={() => setOpen(false)} />}
      </div>
    </>
  );
}

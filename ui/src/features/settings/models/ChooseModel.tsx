/** Choosing a model: one that a server on this machine has, or one at any other address. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { ModelsView } from "../../../api/bindings";
import { useChooseModel, useFoundModels } from "../../../api/models";
import { Chip } from "../../../components/Chip";
import { CommandLine } from "../../../components/ModelTrouble";
import { ErrorState, Loading } from "../../../components/States";
import { EndpointForm } from "./EndpointForm";
import styles from "./Models.module.css";
import { tokens } from "./words";

export function ChooseModel({ view }: { view: ModelsView }) {
  const found = useFoundModels();
  const { mutate: choose, isPending } = useChooseModel();
  const [isOpen, setOpen] = useState(false);
  const servers = found.data ?? [];
  const byEnvironment = view.in_force?.base_url_from === "environment";
  return (
    <>
      {byEnvironment && (
        <p className={styles.beside}>
          The environment names the endpoint in this process. What you choose here holds where it
          does not.
        </p>
      )}
      <div className={styles.part}>
        <div className={styles.partHead}>
          <h3 className={styles.subheading}>On this machine</h3>
          <Button
            size="compact-xs"
            variant="subtle"
            loading={found.isFetching}
            onClick={() => void found.refetch()}
          >
            Look again
          </Button>
        </div>
        {found.isPending && <Loading lines={2} label="Looking for model servers" />}
        {found.isError && (
          <ErrorState
            title="The machine could not be searched"
            error={found.error}
            onRetry={() => void found.refetch()}
          />
        )}
        {found.isSuccess && servers.length === 0 && (
          <p className={styles.dim}>
            No server answers on the usual ports of Ollama, LM Studio, llama.cpp and vLLM. Start one
            and look again, or name another endpoint.
          </p>
        )}
        {servers.map((server) => (
          <div key={server.base_url} className={styles.server}>
            <p className={styles.serverName}>
              {server.name} <span className={styles.dim}>{server.base_url}</span>
            </p>
            {server.models.length === 0 && (
              <>
                <p className={styles.dim}>It has no model yet. One line brings one to it:</p>
                {server.fetch_line && <CommandLine line={server.fetch_line} />}
              </>
            )}
            <ul className={styles.list} aria-label={`Models of ${server.name}`}>
              {server.models.map((model) => (
                <li key={model.id} className={styles.model}>
                  <span className={styles.modelName}>{model.id}</span>
                  {model.window !== null && <Chip>window {tokens(model.window)}</Chip>}
                  {model.in_force ? (
                    <Chip tone="good">in force</Chip>
                  ) : (
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={isPending}
                      aria-label={`Use ${model.id} of ${server.name}`}
                      onClick={() =>
                        choose({ base_url: server.base_url, model: model.id, key_variable: null })
                      }
                    >
                      Use
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
          Another endpoint…
        </Button>
        {isOpen && <EndpointForm view={view} onDone={() => setOpen(false)} />}
      </div>
    </>
  );
}

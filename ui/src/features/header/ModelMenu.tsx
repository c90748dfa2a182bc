/** The model in use, and a menu to choose another: from the servers on this machine, or from the endpoint in use. Everything else about models is in Settings → Models. */
import { Button, Menu } from "@mantine/core";
import { IconCpu, IconSelector } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { ListedModel, ModelInForce } from "../../api/bindings";
import { useChooseModel, useFoundModels, useModels, useServerModels } from "../../api/models";
import { type Action, useActions } from "../../app/keys";
import { useRoom } from "../../lib/useWidth";
import { words } from "../../words";
import { tokens } from "../settings/models/format";
import { openModels } from "../settings/models/openModels";
import styles from "./Header.module.css";

const text = words.header.model;

/** Maximum number of models offered per server; Settings lists them all. */
const maxOffered = 12;

export function ModelMenu() {
  const current = useModels().data?.in_force ?? null;
  const [isOpen, setOpen] = useState(false);
  const hasRoom = useRoom() !== "narrow";
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "model.choose",
          title: text.choose,
          group: "go",
          keys: "mod+e m",
          run: () => (hasRoom ? setOpen(true) : openModels()),
        },
      ],
      [hasRoom],
    ),
  );
  if (!hasRoom) return null;
  const label = current ? text.inUse(current.model) : text.none;
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={320}
      middlewares={{ size: { padding: 8 } }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          className={styles.model}
          leftSection={<IconCpu size={15} aria-hidden />}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-label={label}
          title={label}
        >
          {current?.model ?? text.none}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.models}>
        <Choices current={current} />
      </Menu.Dropdown>
    </Menu>
  );
}

interface Server {
  address: string;
  name: string;
  keyVariable: string | null;
  models: ListedModel[];
}

/** The models to choose from. Rendered only while the menu is open, so that servers are queried only then. */
function Choices({ current }: { current: ModelInForce | null }) {
  const found = useFoundModels();
  const { mutate: choose } = useChooseModel();
  const local = found.data ?? [];
  const isElsewhere =
    current !== null &&
    found.isFetched &&
    !local.some(
      (one) => one.base_url === current.base_url || one.models.some((model) => model.in_force),
    );
  const listed = useServerModels(
    isElsewhere ? current.base_url : null,
    isElsewhere ? current.key_variable : null,
  );
  const servers: Server[] = local.map(({ base_url: address, name, models }) => ({
    address,
    name,
    keyVariable: null,
    models,
  }));
  if (current && isElsewhere) {
    const { base_url: address, preset_name: name, key_variable: keyVariable, model } = current;
    const others = (listed.data?.models ?? []).filter(({ id }) => id !== model);
    const own = { id: model, window: current.window, in_force: true };
    servers.unshift({ address, name, keyVariable, models: [own, ...others] });
  }
  const isFixed = current?.base_url_from === "environment" || current?.model_from !== "settings";
  const isSetElsewhere = current !== null && isFixed;
  const isChosen = (server: Server, model: ListedModel) =>
    model.in_force || (server.address === current?.base_url && model.id === current.model);
  const keyOf = (server: Server, model: ListedModel) => `${server.address} ${model.id}`;
  const offered = servers.filter(({ models }) => models.length > 0);
  const chosen = offered
    .flatMap((server) =>
      server.models.filter((model) => isChosen(server, model)).map((model) => keyOf(server, model)),
    )
    .at(0);
  return (
    <>
      <Menu.RadioGroup aria-label={text.label} value={chosen ?? null}>
        {offered.map((server) => (
          <div key={server.address} role="group" aria-label={server.name}>
            <Menu.Label>{server.name}</Menu.Label>
            {server.models.slice(0, maxOffered).map((model) => (
              <Menu.RadioItem
                key={model.id}
                value={keyOf(server, model)}
                className="pw-break"
                disabled={isSetElsewhere}
                closeMenuOnClick
                rightSection={
                  model.window === null ? undefined : (
                    <span className={styles.window}>
                      {words.settings.models.window(tokens(model.window))}
                    </span>
                  )
                }
                onClick={() =>
                  isChosen(server, model) ||
                  choose({
                    base_url: server.address,
                    model: model.id,
                    key_variable: server.keyVariable,
                  })
                }
              >
                {model.id}
              </Menu.RadioItem>
            ))}
          </div>
        ))}
      </Menu.RadioGroup>
      <div className={styles.note} role="status">
        {found.isPending
          ? words.settings.chooseModel.loading
          : isSetElsewhere
            ? words.settings.chooseModel.setByEnvironment
            : offered.length === 0
              ? text.noneFound
              : text.hint}
      </div>
      <Menu.Divider />
      <Menu.Item onClick={openModels}>{text.more}</Menu.Item>
    </>
  );
}

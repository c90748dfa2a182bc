/** An endpoint at any address: server, address, key, model. The key goes to the keyring or stays until Planwright ends; it is never shown again. */
import { Autocomplete, Button, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ModelsView } from "../../../api/bindings";
import { useChooseModel, useServerModels } from "../../../api/models";
import { ModelTrouble } from "../../../components/ModelTrouble";
import { KeyFields } from "./KeyFields";
import styles from "./Models.module.css";
import { keyNameFor } from "./words";

/** As many models as a list can show at once. */
const shownModels = 60;

const isAddress = /^https?:\/\/[^\s?#]+$/;
const isName = /^[A-Z0-9_]+$/;

interface EndpointFormProps {
  view: ModelsView;
  onDone: () => void;
}

export function EndpointForm({ view, onDone }: EndpointFormProps) {
  const [preset, setPreset] = useState(view.presets.find((one) => !one.is_local) ?? null);
  const [address, setAddress] = useState(preset?.base_url ?? "");
  const [keyName, setKeyName] = useState(preset?.key_variable ?? "");
  const [model, setModel] = useState("");
  /** The server that was asked what it has. */
  const [asked, setAsked] = useState<{ address: string; keyName: string | null } | null>(null);
  const listed = useServerModels(asked?.address ?? null, asked?.keyName ?? null);
  const { mutate: choose, isPending } = useChooseModel();

  const given = address.trim();
  const name = keyName.trim() === "" ? null : keyName.trim();
  const wrongAddress =
    given !== "" && !isAddress.test(given) ? "begins with http:// or https://" : null;
  const wrongName = name !== null && !isName.test(name) ? "capital letters, digits and _" : null;
  const isReady = isAddress.test(given) && wrongName === null;

  const pick = (id: string) => {
    const next = view.presets.find((one) => one.id === id) ?? null;
    setPreset(next);
    setAddress(next?.base_url ?? "");
    setKeyName(next?.key_variable ?? "");
    setAsked(null);
  };
  const ask = () => {
    if (!isReady) return;
    if (asked?.address === given && asked.keyName === name) void listed.refetch();
    else setAsked({ address: given, keyName: name });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || model.trim() === "") return;
    choose({ base_url: given, model: model.trim(), key_variable: name }, { onSuccess: onDone });
  };
  const models = asked ? (listed.data?.models ?? []) : [];
  const count = models.length;
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Another endpoint">
      <NativeSelect
        size="xs"
        label="Server"
        value={preset?.id ?? ""}
        data={view.presets.map((one) => ({ value: one.id, label: one.name }))}
        onChange={(event) => pick(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        label="Address"
        description="Most servers have their endpoint under /v1."
        placeholder="https://host/v1"
        value={address}
        error={wrongAddress}
        spellCheck={false}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          // A name that was only suggested goes along with the address.
          const own = preset?.id === "custom" && keyName === keyNameFor(address);
          setAddress(typed);
          if (own) setKeyName(keyNameFor(typed));
        }}
      />
      <KeyFields
        name={keyName}
        wrong={wrongName}
        suggested={preset?.key_variable ?? keyNameFor(given)}
        hasKeyring={view.has_keyring}
        onName={setKeyName}
      />
      <div className={styles.modelRow}>
        <Autocomplete
          size="xs"
          label="Model"
          description="Its name at that server."
          className={styles.grow}
          data={models.map((one) => one.id)}
          limit={shownModels}
          value={model}
          spellCheck={false}
          onChange={setModel}
        />
        <Button
          size="xs"
          variant="default"
          loading={asked !== null && listed.isFetching}
          disabled={!isReady}
          onClick={ask}
        >
          See what it has
        </Button>
      </div>
      <p className={styles.dim} role="status">
        {asked && listed.isSuccess && !listed.data.problem
          ? count === 0
            ? "The server lists no models."
            : `The server lists ${count === 1 ? "1 model" : `${count} models`}; type to choose.`
          : ""}
      </p>
      {asked && listed.data?.problem && !listed.isFetching && (
        <ModelTrouble problem={listed.data.problem} />
      )}
      <div className={styles.buttons}>
        <Button size="xs" type="submit" loading={isPending} disabled={!isReady || !model.trim()}>
          Use this model
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

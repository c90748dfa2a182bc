/** The form for an endpoint at any address: server, address, key and model. The key goes to the keyring or is kept until Planwright quits, and is never shown again. */
import { Autocomplete, Button, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ModelsView } from "../../../api/bindings";
import { useChooseModel, useServerModels } from "../../../api/models";
import { ModelTrouble } from "../../../components/ModelTrouble";
import { words } from "../../../words";
import { keyNameFor } from "./format";
import { KeyFields } from "./KeyFields";
import styles from "./Models.module.css";

const text = words.settings.endpointForm;

/** Maximum number of models listed. */
const maxListed = 60;

const addressPattern = /^https?:\/\/[^\s?#]+$/;
const namePattern = /^[A-Z0-9_]+$/;

interface EndpointFormProps {
  view: ModelsView;
  onDone: () => void;
}

export function EndpointForm({ view, onDone }: EndpointFormProps) {
  const [preset, setPreset] = useState(view.presets.find((one) => !one.is_local) ?? null);
  const [address, setAddress] = useState(preset?.base_url ?? "");
  const [keyName, setKeyName] = useState(preset?.key_variable ?? "");
  const [model, setModel] = useState("");
  /** The server whose models are listed. */
  const [server, setServer] = useState<{ address: string; keyName: string | null } | null>(null);
  const listed = useServerModels(server?.address ?? null, server?.keyName ?? null);
  const { mutate: choose, isPending } = useChooseModel();

  const url = address.trim();
  const name = keyName.trim() === "" ? null : keyName.trim();
  const addressError = url !== "" && !addressPattern.test(url) ? text.addressError : null;
  const nameError = name !== null && !namePattern.test(name) ? text.keyNameError : null;
  const isReady = addressPattern.test(url) && nameError === null;

  const pick = (id: string) => {
    const next = view.presets.find((one) => one.id === id) ?? null;
    setPreset(next);
    setAddress(next?.base_url ?? "");
    setKeyName(next?.key_variable ?? "");
    setServer(null);
  };
  const listModels = () => {
    if (!isReady) return;
    if (server?.address === url && server.keyName === name) void listed.refetch();
    else setServer({ address: url, keyName: name });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || model.trim() === "") return;
    choose({ base_url: url, model: model.trim(), key_variable: name }, { onSuccess: onDone });
  };
  const models = server ? (listed.data?.models ?? []) : [];
  return (
    <form className={styles.form} onSubmit={submit} aria-label={text.label}>
      <NativeSelect
        size="xs"
        label={text.server}
        value={preset?.id ?? ""}
        data={view.presets.map((one) => ({ value: one.id, label: one.name }))}
        onChange={(event) => pick(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        label={text.address}
        description={text.addressHint}
        placeholder={text.addressPlaceholder}
        value={address}
        error={addressError}
        spellCheck={false}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          // The suggested name of the key changes with the address, unless it was edited.
          const isSuggested = preset?.id === "custom" && keyName === keyNameFor(address);
          setAddress(typed);
          if (isSuggested) setKeyName(keyNameFor(typed));
        }}
      />
      <KeyFields
        name={keyName}
        error={nameError}
        suggested={preset?.key_variable ?? keyNameFor(url)}
        hasKeyring={view.has_keyring}
        onName={setKeyName}
      />
      <div className={styles.modelRow}>
        <Autocomplete
          size="xs"
          label={text.model}
          description={text.modelHint}
          className={styles.grow}
          data={models.map((one) => one.id)}
          limit={maxListed}
          value={model}
          spellCheck={false}
          onChange={setModel}
        />
        <Button
          size="xs"
          variant="default"
          loading={server !== null && listed.isFetching}
          disabled={!isReady}
          onClick={listModels}
        >
          {text.listModels}
        </Button>
      </div>
      <p className={styles.dim} role="status">
        {server && listed.isSuccess && !listed.data.problem ? text.listed(models.length) : ""}
      </p>
      {server && listed.data?.problem && !listed.isFetching && (
        <ModelTrouble problem={listed.data.problem} />
      )}
      <div className="pw-wrap pw-gap-8">
        <Button size="xs" type="submit" loading={isPending} disabled={!isReady || !model.trim()}>
          {text.submit}
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          {words.settings.models.cancel}
        </Button>
      </div>
    </form>
  );
}

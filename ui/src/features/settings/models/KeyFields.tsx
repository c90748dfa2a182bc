/** The API key of an endpoint: its name, and a field to enter it. The field is cleared once the key is saved. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForgetModelKey, useKeepModelKey } from "../../../api/models";
import { words } from "../../../words";
import styles from "./Models.module.css";

const text = words.settings.apiKey;

interface KeyFieldsProps {
  /** The name of the environment variable and of the keyring entry; if empty, no key is sent. */
  name: string;
  /** The error in the name, if any. */
  error: string | null;
  /** The suggested name. */
  suggested: string;
  hasKeyring: boolean;
  onName: (name: string) => void;
}

export function KeyFields({ name, error, suggested, hasKeyring, onName }: KeyFieldsProps) {
  const [key, setKey] = useState("");
  const [status, setStatus] = useState("");
  const { mutate: keep, isPending } = useKeepModelKey();
  const { mutate: forget, isPending: isForgetting } = useForgetModelKey();
  const isNamed = name.trim() !== "";
  const canSave = isNamed && error === null && key.trim() !== "";
  const save = (inKeyring: boolean) =>
    keep(
      { variable: name.trim(), key: key.trim(), inKeyring },
      {
        onSuccess: () => {
          setKey("");
          setStatus(inKeyring ? text.stored : text.kept);
        },
      },
    );
  return (
    <fieldset className={styles.keys}>
      <legend className={styles.legend}>{text.legend}</legend>
      {isNamed ? (
        <>
          <TextInput
            size="xs"
            label={text.name}
            description={hasKeyring ? text.nameHintKeyring : text.nameHint}
            value={name}
            error={error}
            spellCheck={false}
            onChange={(event) => onName(event.currentTarget.value)}
          />
          <TextInput
            size="xs"
            type="password"
            label={text.key}
            description={hasKeyring ? text.keyHint : text.keyHintNoKeyring(name.trim())}
            value={key}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setKey(event.currentTarget.value);
              setStatus("");
            }}
          />
          <div className="pw-wrap pw-gap-8">
            {hasKeyring && (
              <Button
                size="compact-xs"
                variant="default"
                disabled={!canSave}
                loading={isPending}
                onClick={() => save(true)}
              >
                {text.store}
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="default"
              disabled={!canSave}
              loading={isPending}
              onClick={() => save(false)}
            >
              {text.keep}
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              disabled={error !== null}
              loading={isForgetting}
              onClick={() => forget(name.trim(), { onSuccess: () => setStatus(text.forgotten) })}
            >
              {text.forget}
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => onName("")}>
              {text.remove}
            </Button>
          </div>
        </>
      ) : (
        <div className="pw-wrap pw-gap-8">
          <span className={styles.dim}>{text.none}</span>
          <Button size="compact-xs" variant="subtle" onClick={() => onName(suggested)}>
            {text.add}
          </Button>
        </div>
      )}
      <p className={styles.dim} role="status">
        {status}
      </p>
    </fieldset>
  );
}

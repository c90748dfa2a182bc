/** The key of an endpoint: under which name it is looked for, and a field to give it in. It leaves the page when it is given. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForgetModelKey, useKeepModelKey } from "../../../api/models";
import styles from "./Models.module.css";

interface KeyFieldsProps {
  /** The variable, and the keyring's entry; empty: no key is sent. */
  name: string;
  wrong: string | null;
  /** A name to begin with. */
  suggested: string;
  hasKeyring: boolean;
  onName: (name: string) => void;
}

export function KeyFields({ name, wrong, suggested, hasKeyring, onName }: KeyFieldsProps) {
  const [key, setKey] = useState("");
  const [told, setTold] = useState("");
  const { mutate: keep, isPending } = useKeepModelKey();
  const { mutate: forget, isPending: isForgetting } = useForgetModelKey();
  const isNamed = name.trim() !== "";
  const canGive = isNamed && wrong === null && key.trim() !== "";
  const give = (inKeyring: boolean) =>
    keep(
      { variable: name.trim(), key: key.trim(), inKeyring },
      {
        onSuccess: () => {
          setKey("");
          setTold(
            inKeyring ? "The key is in the keyring." : "The key is kept until Planwright ends.",
          );
        },
      },
    );
  return (
    <fieldset className={styles.keys}>
      <legend className={styles.legend}>Key</legend>
      {isNamed ? (
        <>
          <TextInput
            size="xs"
            label="Name"
            description={`Looked for in the environment variable of this name${hasKeyring ? ", then in the keyring" : ""}.`}
            value={name}
            error={wrong}
            spellCheck={false}
            onChange={(event) => onName(event.currentTarget.value)}
          />
          <TextInput
            size="xs"
            type="password"
            label="Key"
            description={
              hasKeyring
                ? "Needed only where the environment does not hold it."
                : `This system has no keyring that answers. Set ${name.trim()} in the environment that starts Planwright, or give the key here until Planwright ends.`
            }
            value={key}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setKey(event.currentTarget.value);
              setTold("");
            }}
          />
          <div className={styles.buttons}>
            {hasKeyring && (
              <Button
                size="compact-xs"
                variant="default"
                disabled={!canGive}
                loading={isPending}
                onClick={() => give(true)}
              >
                Store in the keyring
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="default"
              disabled={!canGive}
              loading={isPending}
              onClick={() => give(false)}
            >
              Keep until Planwright ends
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              disabled={wrong !== null}
              loading={isForgetting}
              onClick={() =>
                forget(name.trim(), { onSuccess: () => setTold("The key is forgotten.") })
              }
            >
              Forget the stored key
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => onName("")}>
              No key is needed
            </Button>
          </div>
        </>
      ) : (
        <div className={styles.buttons}>
          <span className={styles.dim}>No key is sent.</span>
          <Button size="compact-xs" variant="subtle" onClick={() => onName(suggested)}>
            A key is needed
          </Button>
        </div>
      )}
      <p className={styles.dim} role="status">
        {told}
      </p>
    </fieldset>
  );
}

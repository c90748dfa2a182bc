/** Fields that are picked: what a task waits for, its files, the requirements it covers. */
import { MultiSelect, SegmentedControl, TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Requirement } from "../../api/bindings";
import { useFindFiles, useFindTasks } from "../../api/queries";
import { fromLines, readDepends, toLines } from "./codec";
import styles from "./Field.module.css";
import { FieldFrame } from "./FieldFrame";
import type { Field } from "./useField";

const searchAfterMs = 80;

interface PickProps {
  field: Field;
  readOnly?: boolean;
}

/** Escape gives up what was picked and not written, and is left to the row otherwise. */
function escapeGivesUp(field: Field) {
  return (event: React.KeyboardEvent) => {
    if (event.key !== "Escape" || !field.isDirty) return;
    event.stopPropagation();
    field.giveUp();
  };
}

export function DependsField({
  field,
  plan,
  revision,
  task,
  readOnly,
}: PickProps & { plan: string; revision: string; task: string }) {
  const depends = readDepends(field.text);
  const [picksFrom, setPicksFrom] = useState(false);
  const [words, setWords] = useState("");
  const [asked] = useDebouncedValue(words, searchAfterMs);
  const isList = depends.kind === "list" || picksFrom;
  const found = useFindTasks(isList ? plan : null, revision, asked);
  const ids = depends.kind === "list" ? depends.ids : [];
  const titles = new Map((found.data ?? []).map((one) => [one.id, one.title]));
  const offered = (found.data ?? []).map((one) => one.id).filter((id) => id !== task);
  return (
    <FieldFrame label="Waits for" field={field}>
      <div className={styles.pick}>
        <SegmentedControl
          size="xs"
          aria-label="Waits for"
          readOnly={readOnly}
          value={isList ? "list" : depends.kind}
          data={[
            { value: "above", label: "The one above" },
            { value: "nothing", label: "Nothing" },
            { value: "list", label: "These" },
          ]}
          onChange={(kind) => {
            setPicksFrom(kind === "list");
            if (kind !== "list") field.choose(kind);
          }}
        />
        {isList && (
          <MultiSelect
            size="xs"
            w="100%"
            aria-label="Steps it waits for"
            placeholder={ids.length === 0 ? "Find a step by id or title" : undefined}
            readOnly={readOnly}
            searchable
            hidePickedOptions
            searchValue={words}
            onSearchChange={setWords}
            value={ids}
            data={[...new Set([...ids, ...offered])]}
            filter={({ options }) => options}
            limit={50}
            maxDropdownHeight={220}
            nothingFoundMessage={found.isPending ? "Looking" : "No such step"}
            renderOption={({ option }) => (
              <span className={styles.option}>
                <span className={styles.optionId}>{option.value}</span>
                <span dir="auto">{titles.get(option.value)}</span>
              </span>
            )}
            onChange={(next) => {
              setPicksFrom(true);
              field.set(next.length > 0 ? fromLines(next) : "nothing");
            }}
            onBlur={field.write}
            onKeyDown={escapeGivesUp(field)}
          />
        )}
      </div>
    </FieldFrame>
  );
}

/** Files of the workspace; a path that does not exist yet can be typed. */
export function FilesField({ field, workspace, readOnly }: PickProps & { workspace: string }) {
  const [words, setWords] = useState("");
  const [asked] = useDebouncedValue(words, searchAfterMs);
  const [isOpen, setOpen] = useState(false);
  const found = useFindFiles(isOpen ? workspace : null, asked);
  const files = toLines(field.text);
  return (
    <FieldFrame label="Files" field={field}>
      <TagsInput
        size="xs"
        aria-label="Files"
        placeholder={files.length === 0 ? "Find a file, or type a new path" : undefined}
        readOnly={readOnly}
        classNames={{ input: styles.mono, pill: styles.mono }}
        value={files}
        searchValue={words}
        onSearchChange={setWords}
        data={found.data ?? []}
        filter={({ options }) => options}
        limit={40}
        maxDropdownHeight={220}
        splitChars={[","]}
        onDropdownOpen={() => setOpen(true)}
        onChange={(next) => field.set(fromLines(next))}
        onBlur={field.write}
        onKeyDown={escapeGivesUp(field)}
      />
    </FieldFrame>
  );
}

export function CoversField({
  field,
  requirements,
  readOnly,
}: PickProps & { requirements: Requirement[] }) {
  const ids = toLines(field.text);
  const words = new Map(requirements.map((one) => [one.id, one.text]));
  if (requirements.length === 0 && ids.length === 0) return null;
  return (
    <FieldFrame label="Covers" field={field}>
      <MultiSelect
        size="xs"
        aria-label="Requirements it covers"
        placeholder={ids.length === 0 ? "Which requirements" : undefined}
        readOnly={readOnly}
        searchable
        value={ids}
        data={[...new Set([...requirements.map((one) => one.id), ...ids])]}
        maxDropdownHeight={220}
        filter={({ options, search }) => {
          const wanted = search.trim().toLowerCase();
          return options.filter((option) => {
            const id = "value" in option ? option.value : "";
            return `${id} ${words.get(id) ?? ""}`.toLowerCase().includes(wanted);
          });
        }}
        renderOption={({ option }) => (
          <span className={styles.option}>
            <span className={styles.optionId}>{option.value}</span>
            <span dir="auto">{words.get(option.value) ?? "not among the requirements"}</span>
          </span>
        )}
        onChange={(next) => field.set(fromLines(next))}
        onBlur={field.write}
        onKeyDown={escapeGivesUp(field)}
      />
    </FieldFrame>
  );
}

/** Fields with suggestions: a step's dependencies, its files, the requirements it covers. */
import { MultiSelect, SegmentedControl, TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Requirement } from "../../api/bindings";
import { useFindFiles, useFindTasks } from "../../api/queries";
import { words } from "../../words";
import { fromLines, labelOf, readDepends, toLines } from "./codec";
import styles from "./Field.module.css";
import { FieldFrame } from "./FieldFrame";
import type { Field } from "./useField";

const labels = words.task.depends;

const searchAfterMs = 80;

interface PickProps {
  field: Field;
  readOnly?: boolean;
}

/** Discards unsaved choices on Escape. If there are none, the row handles the key. */
function discardOnEscape(field: Field) {
  return (event: React.KeyboardEvent) => {
    if (event.key !== "Escape" || !field.isDirty) return;
    event.stopPropagation();
    field.discard();
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
  const [isPicking, setPicking] = useState(false);
  const [search, setSearch] = useState("");
  const [asked] = useDebouncedValue(search, searchAfterMs);
  const isList = depends.kind === "list" || isPicking;
  const found = useFindTasks(isList ? plan : null, revision, asked);
  const ids = depends.kind === "list" ? depends.ids : [];
  const titles = new Map((found.data ?? []).map((one) => [one.id, one.title]));
  const offered = (found.data ?? []).map((one) => one.id).filter((id) => id !== task);
  return (
    <FieldFrame label={labelOf("depends")} field={field}>
      <div className={styles.pick}>
        <SegmentedControl
          size="xs"
          aria-label={labelOf("depends")}
          readOnly={readOnly}
          value={isList ? "list" : depends.kind}
          data={[
            { value: "above", label: labels.above },
            { value: "nothing", label: labels.nothing },
            { value: "list", label: labels.list },
          ]}
          onChange={(kind) => {
            setPicking(kind === "list");
            if (kind !== "list") field.choose(kind);
          }}
        />
        {isList && (
          <MultiSelect
            size="xs"
            w="100%"
            aria-label={labels.steps}
            placeholder={ids.length === 0 ? labels.placeholder : undefined}
            readOnly={readOnly}
            searchable
            hidePickedOptions
            searchValue={search}
            onSearchChange={setSearch}
            value={ids}
            data={[...new Set([...ids, ...offered])]}
            filter={({ options }) => options}
            limit={50}
            maxDropdownHeight={220}
            nothingFoundMessage={found.isPending ? labels.searching : labels.noMatch}
            renderOption={({ option }) => (
              <span className={styles.option}>
                <span className={styles.optionId}>{option.value}</span>
                <span dir="auto">{titles.get(option.value)}</span>
              </span>
            )}
            onChange={(next) => {
              setPicking(true);
              field.set(next.length > 0 ? fromLines(next) : "nothing");
            }}
            onBlur={field.write}
            onKeyDown={discardOnEscape(field)}
          />
        )}
      </div>
    </FieldFrame>
  );
}

/** Files of the workspace. A path that doesn't exist yet can be typed. */
export function FilesField({ field, workspace, readOnly }: PickProps & { workspace: string }) {
  const [search, setSearch] = useState("");
  const [asked] = useDebouncedValue(search, searchAfterMs);
  const [isOpen, setOpen] = useState(false);
  const found = useFindFiles(isOpen ? workspace : null, asked);
  const files = toLines(field.text);
  return (
    <FieldFrame label={labelOf("files")} field={field}>
      <TagsInput
        size="xs"
        aria-label={labelOf("files")}
        placeholder={files.length === 0 ? words.task.filesPlaceholder : undefined}
        readOnly={readOnly}
        classNames={{ input: styles.mono, pill: styles.mono }}
        value={files}
        searchValue={search}
        onSearchChange={setSearch}
        data={found.data ?? []}
        filter={({ options }) => options}
        limit={40}
        maxDropdownHeight={220}
        splitChars={[","]}
        onDropdownOpen={() => setOpen(true)}
        onChange={(next) => field.set(fromLines(next))}
        onBlur={field.write}
        onKeyDown={discardOnEscape(field)}
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
  const texts = new Map(requirements.map((one) => [one.id, one.text]));
  if (requirements.length === 0 && ids.length === 0) return null;
  return (
    <FieldFrame label={labelOf("covers")} field={field}>
      <MultiSelect
        size="xs"
        aria-label={words.task.covers.label}
        placeholder={ids.length === 0 ? words.task.covers.placeholder : undefined}
        readOnly={readOnly}
        searchable
        value={ids}
        data={[...new Set([...requirements.map((one) => one.id), ...ids])]}
        maxDropdownHeight={220}
        filter={({ options, search }) => {
          const wanted = search.trim().toLowerCase();
          return options.filter((option) => {
            const id = "value" in option ? option.value : "";
            return `${id} ${texts.get(id) ?? ""}`.toLowerCase().includes(wanted);
          });
        }}
        renderOption={({ option }) => (
          <span className={styles.option}>
            <span className={styles.optionId}>{option.value}</span>
            <span dir="auto">{texts.get(option.value) ?? words.task.covers.unknown}</span>
          </span>
        )}
        onChange={(next) => field.set(fromLines(next))}
        onBlur={field.write}
        onKeyDown={discardOnEscape(field)}
      />
    </FieldFrame>
  );
}

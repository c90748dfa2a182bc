/** An in-memory backend with one plan, for outline tests. Answers its commands and sends invalidation events like the real one. */
import type {
  DesktopEvent,
  DiffLine,
  Draft,
  Edit,
  EditOutcome,
  FindingsReport,
  Outline,
  Place,
  Requirement,
  Row,
  RunView,
  TaskDetail,
  TaskPlace,
} from "../src/api/bindings";

export const planKey = "/home/me/report-tool/plans/add-json-flag.md";
export const workspace = "/home/me/report-tool";

/** A task in the fake backend. */
export interface FakeTask {
  id: string;
  title: string;
  depth: number;
  kind: string;
  body: string;
  fields: Record<string, string[]>;
  done: boolean;
  findings: Row["findings"];
}

export interface State {
  title: string;
  intro: string;
  requirements: Requirement[];
  tasks: FakeTask[];
}

export function task(id: string, title: string, more: Partial<FakeTask> = {}): FakeTask {
  const base = { depth: 0, kind: "task", body: "", fields: {}, done: false, findings: [] };
  return { id, title, ...base, ...more };
}

/** The sample plan. */
export function jsonFlagPlan(): State {
  const check = (name: string) => [`python3 -m unittest tests.${name}`];
  return {
    title: "Add a --json flag to the report command",
    intro: "Consumers pipe the report into other programs. Keep the default output as it is.",
    requirements: [
      { id: "R1", text: "one JSON object per row", is_covered: true, covered_by: ["T1", "T3"] },
      { id: "R2", text: "default output unchanged", is_covered: true, covered_by: ["T2"] },
    ],
    tasks: [
      task("T1", "Find where the report rows are built", {
        fields: { files: ["src/report.py"], covers: ["R1"] },
      }),
      task("T2", "Add a --json flag to the argument parser", {
        body: "Keep the default output; the flag is off unless given.",
        fields: {
          depends: ["T1"],
          files: ["src/cli.py", "src/report.py"],
          verify: check("test_cli"),
          covers: ["R1", "R2"],
        },
      }),
      task("D1", "Which JSON layout?", {
        kind: "decision",
        fields: {
          depends: ["T2"],
          option: ["One object per line -> T3", "One array -> T4"],
        },
      }),
      task("T3", "Print one JSON object per row", {
        fields: {
          depends: ["D1"],
          files: ["src/report.py"],
          verify: check("test_report"),
          covers: ["R1"],
        },
      }),
      task("T4", "Print one JSON array", {
        fields: {
          depends: ["D1"],
          files: ["src/report.py"],
          verify: check("test_report"),
          covers: ["R1"],
        },
      }),
      task("C1", "Review the changes before the docs are touched", {
        kind: "checkpoint",
        fields: { depends: ["T3", "T4"] },
      }),
      task("T5", "Update the docs and clean up", {
        fields: { depends: ["C1"] },
        findings: [
          {
            id: "f1",
            severity: "major",
            message: "“clean up” does not say what to change",
            fix: "Ask what to clean up",
          },
          {
            id: "f2",
            severity: "minor",
            message: "No file named; docs/usage.md mentions the report command",
            fix: "Name docs/usage.md",
          },
        ],
      }),
      task("T6", "Sign off the release note wording", {
        fields: { depends: ["T5"], files: ["CHANGELOG.md"], by: ["person"] },
      }),
    ],
  };
}

export interface PlanBackend {
  state: State;
  revision: () => string;
  edits: Edit[];
  drafts: Draft[];
  place: Place;
  run: RunView | null;
  /** The answer to the next edit, which is then not applied. */
  nextOutcome: EditOutcome | null;
  nextError: { code: string; message: string } | null;
  isWritable: boolean;
  /** Changes the plan as another program would. */
  outside: (change: (state: State) => void) => void;
  /** The answers to pass to `startBackend`. */
  answers: Record<string, (args: Args) => unknown>;
  /** Sends events to the page; set by the test that renders it. */
  tell: (...events: DesktopEvent[]) => void;
}

type Args = Record<string, unknown>;

export function planBackend(initial: State = jsonFlagPlan()): PlanBackend {
  let count = 1;
  const past: State[] = [];
  const future: State[] = [];
  const revision = () => `9b41c07ade12${String(count).padStart(52, "0")}`;

  const changed = (author: string) => {
    count += 1;
    backend.tell({ kind: "plan", plan: planKey, revision: revision(), author });
  };

  const rowOf = (one: FakeTask, index: number): Row => {
    const next = backend.state.tasks[index + 1];
    const isGroup = next !== undefined && next.depth > one.depth;
    return {
      index,
      id: one.id,
      has_written_id: !one.id.startsWith("#"),
      kind: one.kind === "task" && isGroup ? "group" : one.kind,
      depth: one.depth,
      title: one.title,
      summary: one.body.split("\n")[0] ?? "",
      done: one.done,
      skipped: one.fields.skipped?.[0] ?? null,
      origin: null,
      by: one.fields.by?.[0] ?? "agent",
      depends: one.fields.depends ?? null,
      files: one.fields.files ?? [],
      verify: one.fields.verify ?? [],
      covers: one.fields.covers ?? [],
      options: (one.fields.option ?? []).map((text) => {
        const [label = "", effect = ""] = text.split(" -> ");
        return { label, effect };
      }),
      findings: one.findings,
    };
  };

  const find = (id: string): number => {
    const at = backend.state.tasks.findIndex((one) => one.id === id);
    if (at < 0) throw { code: "usage", message: `There is no step ${id} in the plan any more.` };
    return at;
  };
  const endOf = (at: number): number => {
    const { tasks } = backend.state;
    let end = at + 1;
    while (end < tasks.length && (tasks[end]?.depth ?? 0) > (tasks[at]?.depth ?? 0)) end += 1;
    return end;
  };
  const siteOf = (place: TaskPlace): { at: number; depth: number } => {
    if (place.at === "first") return { at: 0, depth: 0 };
    const at = find(place.task);
    const depth = backend.state.tasks[at]?.depth ?? 0;
    return { at: endOf(at), depth: place.at === "under" ? depth + 1 : depth };
  };

  const make = (edit: Edit): string | null => {
    const { state } = backend;
    switch (edit.edit) {
      case "plan_title":
        state.title = edit.text;
        return null;
      case "intro":
        state.intro = edit.text;
        return null;
      case "title":
      case "body": {
        const one = state.tasks[find(edit.task)];
        if (edit.edit === "title" && !edit.text.trim()) {
          throw { code: "usage", message: "A title needs words." };
        }
        if (one) one[edit.edit] = edit.text.trim();
        return edit.task;
      }
      case "field":
      case "depends": {
        const one = state.tasks[find(edit.task)];
        if (!one) return null;
        const key = edit.edit === "field" ? edit.key : "depends";
        const values = edit.edit === "field" ? edit.values : edit.on;
        if (key === "type") one.kind = values?.[0] ?? "task";
        else if (values === null || (values.length === 0 && key !== "depends")) {
          delete one.fields[key];
        } else one.fields[key] = values;
        return edit.task;
      }
      case "requirement":
        for (const one of state.requirements) if (one.id === edit.id) one.text = edit.text;
        return null;
      case "add_requirement": {
        const id = `R${state.requirements.length + 1}`;
        state.requirements.push({ id, text: edit.text, is_covered: false, covered_by: [] });
        return null;
      }
      case "delete_requirement":
        state.requirements = state.requirements.filter((one) => one.id !== edit.id);
        return null;
      case "add_task": {
        const { at, depth } = siteOf(edit.place);
        const id = `T${state.tasks.length + 1}`;
        state.tasks.splice(at, 0, task(id, edit.title, { depth, kind: edit.kind }));
        return id;
      }
      case "many":
        return edit.edits.map(make).at(-1) ?? null;
      case "delete_task": {
        const at = find(edit.task);
        state.tasks.splice(at, endOf(at) - at);
        return null;
      }
      case "move_task": {
        const from = find(edit.task);
        const moved = state.tasks.splice(from, endOf(from) - from);
        const { at, depth } = siteOf(edit.place);
        const by = depth - (moved[0]?.depth ?? 0);
        for (const one of moved) one.depth += by;
        state.tasks.splice(at, 0, ...moved);
        return edit.task;
      }
      default:
        return null;
    }
  };

  const restore = (from: State[], to: State[]): EditOutcome => {
    const before = from.pop();
    if (!before) return { outcome: "unchanged", revision: revision() };
    to.push(structuredClone(backend.state));
    backend.state = before;
    changed("person");
    return { outcome: "written", revision: revision(), task: null, merged: false };
  };

  const answers: Record<string, (args: Args) => unknown> = {
    start: () => ({
      version: "0.1.0",
      place: backend.place,
      recent: [],
      notices: [],
      theme: "light",
      sandbox: "bubblewrap",
      has_model: false,
    }),
    outline: () => outlineOf(),
    rows: ({ from, count: wanted }) => {
      const at = Number(from);
      const { tasks } = backend.state;
      const rows = [];
      for (let i = at; i < Math.min(at + Number(wanted), tasks.length); i += 1) {
        const one = tasks[i];
        if (one) rows.push(rowOf(one, i));
      }
      return { revision: revision(), from: at, rows };
    },
    row_index: ({ task: id }) => {
      const at = backend.state.tasks.findIndex((one) => one.id === String(id));
      return at < 0 ? null : at;
    },
    task: ({ task: id }) => detailOf(String(id)),
    section: () => ({ revision: revision(), markdown: backend.state.intro, html: "" }),
    find_tasks: ({ words }) =>
      backend.state.tasks
        .filter((one) => `${one.id} ${one.title}`.toLowerCase().includes(String(words)))
        .slice(0, 50)
        .map(({ id, title }) => ({ id, title })),
    find_files: ({ words }) =>
      ["src/cli.py", "src/report.py", "docs/usage.md", "CHANGELOG.md"].filter((path) =>
        path.includes(String(words)),
      ),
    edit: ({ edit }) => {
      const asked = edit as unknown as Edit;
      backend.edits.push(asked);
      const { nextError, nextOutcome } = backend;
      backend.nextError = null;
      backend.nextOutcome = null;
      if (nextError) throw nextError;
      if (nextOutcome) return nextOutcome;
      past.push(structuredClone(backend.state));
      future.length = 0;
      const id = make(asked);
      changed("person");
      return { outcome: "written", revision: revision(), task: id, merged: false };
    },
    preview_edit: () => ({
      revision: revision(),
      diff: [
        {
          kind: "added",
          old: null,
          new: 40,
          text: `- [ ] **T${backend.state.tasks.length + 1}** x`,
        },
      ],
      tasks: backend.state.tasks.length + 1,
    }),
    undo_edit: () => restore(past, future),
    redo_edit: () => restore(future, past),
    preview_delete: ({ task: id }) => ({
      children: [],
      dependents: backend.state.tasks
        .filter((one) => one.fields.depends?.includes(String(id)))
        .map((one) => ({ id: one.id, title: one.title })),
      uncovered: [],
      diff: diffOf(`- [ ] **${String(id)}**`),
    }),
    preview_fix: ({ finding }) => ({
      label: finding === "f2" ? "Name docs/usage.md" : "Ask what to clean up",
      revision: revision(),
      diff: [
        { kind: "same", old: 41, new: 41, text: "- [ ] **T5** Update the docs and clean up" },
        { kind: "added", old: null, new: 42, text: "  - files: `docs/usage.md`" },
      ],
    }),
    apply_fix: ({ finding }) => {
      past.push(structuredClone(backend.state));
      for (const one of backend.state.tasks) {
        one.findings = one.findings.filter((other) => other.id !== String(finding));
      }
      changed("person");
      return { outcome: "written", revision: revision(), task: null, merged: false };
    },
    plan_question: () => null,
    findings: () => findingsOf(),
    drafts: () => structuredClone(backend.drafts),
    save_draft: ({ key, text, revision: on }) => {
      backend.drafts = backend.drafts.filter((draft) => draft.key !== key);
      if (text) {
        const kept = { key: String(key), text: String(text), revision: String(on), at_ms: 0 };
        backend.drafts.push(kept);
      }
      return null;
    },
    run: () => backend.run,
    comments: () => [],
    runs_of: () => [],
  };

  const findingsOf = (): FindingsReport => {
    const findings = backend.state.tasks.flatMap((one) =>
      one.findings.map((finding) => ({
        id: finding.id,
        severity: finding.severity,
        message: finding.message,
        fixes: finding.fix ? [finding.fix] : [],
        muted: null,
        code: finding.severity === "major" ? "vague_phrase" : "goal_paths_unlinked",
        task: one.id,
        line: 40,
        question: finding.severity === "major" ? "What should be cleaned up?" : null,
      })),
    );
    return {
      revision: revision(),
      badge: { word: "fair", score: 78, findings: findings.length, critical: 0 },
      summary: [
        `${backend.state.tasks.length} steps, at least 5 expected`,
        "2 of 2 requirements covered",
        "checks on 3 of 4 changes",
      ],
      reason_codes: [],
      findings,
      more: 0,
      dimensions: [],
      missing: null,
      reasons: [],
    };
  };

  const outlineOf = (): Outline => ({
    plan: planKey,
    path: "plans/add-json-flag.md",
    workspace,
    revision: revision(),
    title: backend.state.title,
    goal: null,
    intro_html: backend.state.intro ? `<p>${backend.state.intro}</p>` : "",
    intro: backend.state.intro,
    requirements: structuredClone(backend.state.requirements),
    rows: backend.state.tasks.length,
    done: backend.state.tasks.filter((one) => one.done).length,
    total: backend.state.tasks.length,
    is_over: backend.state.tasks.length > 0 && backend.state.tasks.every((one) => one.done),
    badge: findingsOf().badge,
    dialect: "native",
    problems: [],
    is_writable: backend.isWritable,
    read_only: null,
    is_foreign: false,
    could_be_tasks: { items: 0, headings: 0 },
    conflicts: 0,
    own_conflicts: 0,
    undo: past.length > 0 ? "Edit" : null,
    redo: future.length > 0 ? "Edit" : null,
    mark: null,
    run: backend.run?.run ?? null,
  });

  const detailOf = (id: string): TaskDetail => {
    const at = find(id);
    const one = backend.state.tasks[at];
    if (!one) throw { code: "usage", message: `There is no step ${id} in the plan any more.` };
    return {
      revision: revision(),
      row: rowOf(one, at),
      body: one.body,
      body_html: one.body ? `<p>${one.body}</p>` : "",
      kind: one.kind,
      fields: Object.entries(one.fields).map(([key, values]) => ({ key, values })),
      dependents: backend.state.tasks
        .filter((other) => other.fields.depends?.includes(id))
        .map((other) => ({ id: other.id, title: other.title })),
      children: [],
      line: 14 + at * 6,
      fingerprint: `fp-${id}`,
    };
  };

  const backend: PlanBackend = {
    state: initial,
    revision,
    edits: [],
    drafts: [],
    place: {
      workspace,
      plan: planKey,
      screen: "plan",
      view: null,
      panel: "findings",
      task: null,
      top: null,
      run: null,
      talk: null,
      editing: false,
    },
    run: null,
    nextOutcome: null,
    nextError: null,
    isWritable: true,
    outside: (change) => {
      change(backend.state);
      changed("outside");
    },
    tell: () => undefined,
    answers,
  };
  return backend;
}

function diffOf(line: string): DiffLine[] {
  return [{ kind: "removed", old: 40, new: null, text: line }];
}

/** The context menus of the graph: a step's and a dependency's. */
import { IconArrowDown, IconArrowUp, IconListCheck, IconUnlink } from "@tabler/icons-react";
import type { GraphEdge } from "../../api/bindings";
import { useContextMenu } from "../../components/ContextMenu";
import type { MenuChoice } from "../../components/MenuButton";
import { words } from "../../words";
import type { LineEdge } from "./flow";
import { boxId } from "./GraphNode";
import { edgeName, type GraphIndex } from "./graphIndex";
import type { Picking } from "./WireDialogs";

interface GraphMenuContext {
  isWritable: boolean;
  index: GraphIndex;
  edges: LineEdge[];
  selected: string | null;
  select: (task: string) => void;
  selectLine: (edge: string) => void;
  /** Shows a step in the outline. */
  open: (task: string) => void;
  pick: (picking: Picking) => void;
  cut: (edge: GraphEdge) => void;
}

export function useGraphMenu(context: GraphMenuContext) {
  const { isWritable, index, edges, selected, select, pick, cut } = context;
  return useContextMenu((target) => {
    const edgeId = target.closest<SVGElement>(".react-flow__edge")?.dataset.id;
    const edge = edges.find((one) => one.id === edgeId)?.data?.edge;
    if (edge && edgeId) {
      context.selectLine(edgeId);
      return { label: edgeName(edge), choices: lineChoices(edge, isWritable, cut) };
    }
    // If the menu is opened by a key, the target is the canvas, so the selected step's menu is shown.
    const id =
      target.closest<HTMLElement>(".react-flow__node")?.dataset.id ??
      (target.classList.contains("react-flow") ? selected : null);
    const step = id ? index.node.get(id) : undefined;
    if (!step) return null;
    if (step.id !== selected) select(step.id);
    return {
      label: words.graph.menu.label(step.id),
      anchor: document.getElementById(boxId(step.id)),
      choices: stepChoices({
        isWritable,
        open: () => context.open(step.id),
        connect: (side) => pick({ what: "connect", task: step.id, side }),
        cut: () => pick({ what: "cut", task: step.id }),
      }),
    };
  });
}

const titles = words.graph.actions;
const size = 14;

interface StepMenuContext {
  isWritable: boolean;
  open: () => void;
  connect: (side: "after" | "before") => void;
  cut: () => void;
}

function stepChoices({ isWritable, open, connect, cut }: StepMenuContext): MenuChoice[] {
  const all: MenuChoice[] = [
    {
      id: "open",
      title: titles.open,
      keys: "e",
      icon: <IconListCheck size={size} />,
      onClick: open,
    },
    {
      id: "after",
      title: titles.connectAfter,
      keys: "d",
      icon: <IconArrowDown size={size} />,
      onClick: () => connect("after"),
    },
    {
      id: "before",
      title: titles.connectBefore,
      keys: "shift+d",
      icon: <IconArrowUp size={size} />,
      onClick: () => connect("before"),
    },
    {
      id: "cut",
      title: titles.removeDependency,
      keys: "x",
      icon: <IconUnlink size={size} />,
      onClick: cut,
    },
  ];
  return isWritable ? all : all.slice(0, 1);
}

/** The menu of a dependency, which can be removed. A branch has no menu: it is edited in its decision. */
function lineChoices(
  edge: GraphEdge,
  isWritable: boolean,
  cut: (edge: GraphEdge) => void,
): MenuChoice[] {
  if (!isWritable || edge.kind === "branch") return [];
  return [
    {
      id: "cut",
      title: words.graph.edits.remove(edge.from, edge.to),
      keys: "Delete",
      icon: <IconUnlink size={size} />,
      onClick: () => cut(edge),
    },
  ];
}

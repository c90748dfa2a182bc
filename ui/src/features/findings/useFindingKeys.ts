/** Keyboard actions on findings. They apply while focus is in the panel, where they override other actions with the same keys. They are also in the palette and the key list. */
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import { type Action, isField, useActions } from "../../app/keys";
import { words } from "../../words";
import { overlay } from "../palette/palette";

interface FindingKeys {
  region: RefObject<HTMLElement | null>;
  /** The id of the last focused finding. */
  current: string | null;
  onFix: (id: string, wantsPreview: boolean) => void;
  onMute: (id: string) => void;
  /** Opens the plan's file at the finding's line; absent if the file can't be opened. */
  onOpen?: (id: string) => void;
}

const titles = {
  j: words.findings.actions.next,
  k: words.findings.actions.previous,
  Enter: words.findings.actions.show,
  f: words.findings.actions.fix,
  "shift+f": words.findings.actions.preview,
  m: words.findings.actions.mute,
  o: words.findings.actions.open,
};

/** Returns the region's handler of arrow keys. */
export function useFindingKeys(keys: FindingKeys): (event: KeyboardEvent) => void {
  const { region } = keys;
  const now = useRef(keys);
  now.current = keys;
  // The palette and the key list take focus, so this checks where focus was before they opened.
  const wasHere = useRef(false);

  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (overlay.get() !== null) return;
      wasHere.current = target instanceof Node && (region.current?.contains(target) ?? false);
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [region]);

  const step = useCallback(
    (by: number) => {
      const mains = [
        ...(region.current?.querySelectorAll<HTMLElement>("[data-main]") ?? []),
      ].filter((one) => !one.closest("details:not([open])"));
      const at = mains.findIndex(
        (one) => one.closest<HTMLElement>("li")?.dataset.finding === now.current.current,
      );
      const next = mains[at < 0 ? 0 : Math.max(0, Math.min(mains.length - 1, at + by))];
      next?.focus();
      next?.scrollIntoView({ block: "nearest" });
    },
    [region],
  );

  useActions(
    useMemo<Action[]>(() => {
      const current = () => {
        const { current: id } = now.current;
        return id === null
          ? null
          : (region.current?.querySelector<HTMLElement>(`[data-finding="${CSS.escape(id)}"]`) ??
              null);
      };
      const has = () => region.current?.contains(document.activeElement) ?? false;
      const isHere = () => has() || (wasHere.current && overlay.get() !== null);
      // On another button of the finding, Enter presses that button.
      const isOnButton = () =>
        has() && !(document.activeElement as HTMLElement | null)?.hasAttribute("data-main");
      const act = (key: keyof typeof titles) => {
        const { current: id, onFix, onMute, onOpen } = now.current;
        if (key === "j") step(1);
        else if (key === "k") step(-1);
        else if (key === "Enter") current()?.querySelector<HTMLElement>("[data-main]")?.click();
        else if (id === null) return;
        else if (key === "m") onMute(id);
        else if (key === "o") onOpen?.(id);
        else onFix(id, key === "shift+f");
      };
      return (Object.keys(titles) as (keyof typeof titles)[]).map((key) => ({
        id: `findings.${key}`,
        title: titles[key],
        group: "plan",
        keys: key,
        // The panel can be a drawer, which is a dialog.
        inDialogs: true,
        isNear: has,
        when: () =>
          isHere() &&
          (key === "Enter" ? !isOnButton() && current() !== null : true) &&
          (/^(shift\+)?[fmo]$/.test(key) ? current() !== null : true) &&
          (key !== "o" || now.current.onOpen !== undefined),
        run: () => {
          if (overlay.get() !== "keys") act(key);
        },
      }));
    }, [region, step]),
  );

  return (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || isField(event.target)) return;
    event.preventDefault();
    step(by);
  };
}

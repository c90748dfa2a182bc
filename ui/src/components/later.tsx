/** Parts whose code is fetched when they are first drawn. `lazy` would do, but React holds back what a suspended part becomes until its placeholder has stood for 300 ms, however soon the code is there. */
import { type ComponentType, useEffect, useState } from "react";
import { Loading } from "./States";

export type Later<P extends object> = ComponentType<P> & {
  /** Fetches the code, so that it is there when the part is drawn. */
  load: () => Promise<void>;
};

interface Code<P extends object> {
  Part: ComponentType<P> | null;
  load: () => Promise<void>;
  lines: number;
}

/** @param lines height of the placeholder; 0 for none */
export function later<P extends object>(
  fetch: () => Promise<{ default: ComponentType<P> }>,
  lines = 0,
): Later<P> {
  const code: Code<P> = {
    Part: null,
    load: async () => {
      code.Part ??= (await fetch()).default;
    },
    lines,
  };
  const draw = (props: P) => <Coming code={code} props={props} />;
  return Object.assign(draw, { load: code.load });
}

function Coming<P extends object>({ code, props }: { code: Code<P>; props: P }) {
  const [news, setNews] = useState<{ failure: unknown } | null>(null);
  const { Part } = code;
  const isThere = Part !== null;
  useEffect(() => {
    if (isThere) return;
    let isLeft = false;
    const tell = (failure: unknown) => {
      if (!isLeft) setNews({ failure });
    };
    code.load().then(() => tell(null), tell);
    return () => {
      isLeft = true;
    };
  }, [code, isThere]);
  if (Part) return <Part {...props} />;
  // The boundary around it says so; drawn again, it is fetched anew.
  if (news?.failure) throw news.failure;
  return code.lines > 0 ? <Loading lines={code.lines} /> : null;
}

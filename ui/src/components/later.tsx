/** Components loaded on first use. Unlike `lazy`, without React's 300 ms minimum for a placeholder. */
import { type ComponentType, useEffect, useState } from "react";
import { Loading } from "./States";

export type Later<P extends object> = ComponentType<P> & {
  /** Loads the code ahead of time. */
  load: () => Promise<void>;
};

interface Code<P extends object> {
  Part: ComponentType<P> | null;
  load: () => Promise<void>;
  lines: number;
}

/** @param lines height of the placeholder in lines; 0 for none */
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
  // Caught by the surrounding error boundary. Mounting the component again retries the download.
  if (news?.failure) throw news.failure;
  return code.lines > 0 ? <Loading lines={code.lines} /> : null;
}

/** Opens folders, plan files and the sample. */
import { useCallback, useMemo } from "react";
import { useOpenPath, useOpenSample, usePickFolder, usePickPlan } from "../../api/mutations";
import { openWorkspace } from "../../app/place";

export function useOpening() {
  const { mutateAsync: pickFolder } = usePickFolder();
  const { mutateAsync: pickPlan } = usePickPlan();
  const { mutateAsync: openPath } = useOpenPath();
  const { mutateAsync: sample, isPending: isOpeningSample } = useOpenSample();

  const open = useCallback(
    async (path: string | null) => {
      if (!path) return;
      const opened = await openPath(path);
      openWorkspace(opened.workspace.path, opened.plan);
    },
    [openPath],
  );

  return useMemo(() => {
    // Errors are ignored here, because the query cache shows them.
    const quietly = (work: () => Promise<void>) => () => void work().catch(() => undefined);
    return {
      isOpeningSample,
      chooseFolder: quietly(async () => open(await pickFolder())),
      choosePlan: quietly(async () => open(await pickPlan())),
      openSample: quietly(async () => {
        const opened = await sample();
        openWorkspace(opened.workspace.path, opened.plan);
      }),
      open: (path: string) => void open(path).catch(() => undefined),
    };
  }, [open, pickFolder, pickPlan, sample, isOpeningSample]);
}

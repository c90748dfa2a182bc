/** An icon button. Its label is also its tooltip, with the key. */
import { ActionIcon, Tooltip } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import { keyWords } from "../lib/keyText";

interface IconButtonProps {
  label: string;
  keys?: string;
  size?: number;
  disabled?: boolean;
  onClick?: () => void;
  tone?: "gray" | "indigo" | "red";
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

export function IconButton({
  label,
  keys,
  size = 28,
  disabled = false,
  onClick,
  tone = "gray",
  ref,
  children,
}: IconButtonProps) {
  return (
    <Tooltip label={keys ? `${label} (${keyWords(keys)})` : label}>
      <ActionIcon
        ref={ref}
        variant="subtle"
        color={tone}
        size={size}
        radius="md"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

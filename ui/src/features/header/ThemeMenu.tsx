/** The theme: a menu in the header, and an action for each choice. It is the user's setting `theme`, so it takes effect in every window. */
import { ActionIcon, Menu } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { useMemo } from "react";
import { useSetSetting } from "../../api/mutations";
import { useStart } from "../../api/queries";
import { type Action, useActions } from "../../app/keys";
import { Kbd } from "../../components/Kbd";
import { words } from "../../words";
import styles from "./Header.module.css";

const text = words.header.theme;

/** The values of the `theme` setting. */
const themes = [
  { id: "auto", title: text.auto, keys: "mod+l a", Icon: IconDeviceDesktop },
  { id: "light", title: text.light, keys: "mod+l l", Icon: IconSun },
  { id: "dark", title: text.dark, keys: "mod+l d", Icon: IconMoon },
] as const;

export function ThemeMenu() {
  const now = useStart().data?.theme ?? "auto";
  const { mutate } = useSetSetting();
  const chosen = themes.find(({ id }) => id === now) ?? themes[0];
  useActions(
    useMemo<Action[]>(
      () =>
        themes.map(({ id, title, keys }) => ({
          id: `theme.${id}`,
          title: text.chosen(title),
          group: "window",
          keys,
          run: () => mutate({ key: "theme", value: JSON.stringify(id) }),
        })),
      [mutate],
    ),
  );
  return (
    <Menu position="bottom-end" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          radius="md"
          className={styles.theme}
          aria-label={text.chosen(chosen.title)}
          title={text.chosen(chosen.title)}
        >
          <chosen.Icon size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          aria-label={text.label}
          value={chosen.id}
          onChange={(id) => mutate({ key: "theme", value: JSON.stringify(id) })}
        >
          {themes.map(({ id, title, keys }) => (
            <Menu.RadioItem
              key={id}
              value={id}
              closeMenuOnClick
              rightSection={<Kbd keys={keys} small hidden />}
            >
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

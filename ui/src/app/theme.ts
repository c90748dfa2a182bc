/** Mantine's theme: the same type, radii and colours as tokens.css, so that a control and a plain row look like one hand. */
import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Indigo, with the filled shade a touch deeper than the stock one, so that white text on it holds 4.5 : 1, and the shade of a light button under the pointer a touch lighter, so that its text does. */
const indigo: MantineColorsTuple = [
  "#edf2ff",
  "#dbe4ff",
  "#ccd7ff",
  "#91a7ff",
  "#748ffc",
  "#5c7cfa",
  "#4868ee",
  "#4263eb",
  "#3b5bdb",
  "#364fc7",
];

export const theme = createTheme({
  colors: { indigo },
  primaryColor: "indigo",
  primaryShade: { light: 6, dark: 8 },
  black: "#000000",
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "11.5px", sm: "13px", md: "14px", lg: "15px", xl: "24px" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "sm" } },
    Tooltip: {
      defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } },
    },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 120 },
        // The page has one banner: the window's header.
        attributes: { header: { role: "presentation" } },
      },
    },
    Drawer: { defaultProps: { attributes: { header: { role: "presentation" } } } },
    Menu: { defaultProps: { shadow: "md", transitionProps: { duration: 80 } } },
  },
});

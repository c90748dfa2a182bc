/** Mantine's theme, with the fonts, radii and colors of tokens.css. */
import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Indigo. The filled shade is slightly darker than Mantine's and the hover shade of light buttons slightly lighter, so that text has a contrast of 4.5:1. */
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
  fontFamily: "var(--pw-sans)",
  fontFamilyMonospace: "var(--pw-mono)",
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
        // A dialog's header must not be a `banner` landmark: only the window's header is one.
        attributes: { header: { role: "presentation" } },
      },
    },
    Drawer: { defaultProps: { attributes: { header: { role: "presentation" } } } },
    Menu: { defaultProps: { shadow: "md", transitionProps: { duration: 80 } } },
  },
});

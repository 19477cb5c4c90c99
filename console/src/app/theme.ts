import { Badge, Combobox, createTheme, Menu, Notification } from "@mantine/core";

/** Colours of badges and buttons: white text on each has a contrast of 4.5 and more. */
export const COLOURS = {
  good: "teal.9",
  bad: "red.9",
  doubtful: "#b8400a",
  neutral: "gray.7",
  proposed: "grape.9",
} as const;

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: "sm",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // A badge in a narrow table is read whole: the table scrolls.
    Badge: Badge.extend({ defaultProps: { miw: "max-content" } }),
    // The options of a list, a hundred reasons for example, are rendered when it opens.
    Combobox: Combobox.extend({ defaultProps: { keepMounted: false } }),
    // In a landmark, and without an element that a menu must not have.
    Menu: Menu.extend({ defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } }),
    Notification: Notification.extend({
      // In both languages: the theme does not follow the chosen one.
      defaultProps: { closeButtonProps: { "aria-label": "Cerrar / Close" } },
    }),
  },
});

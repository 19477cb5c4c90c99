/** The console's icons: lines on a grid of 24, in the colour of the text around them. */
import type { ReactNode } from "react";

function icon(lines: ReactNode) {
  return function Icon({ size = 20 }: { size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {lines}
      </svg>
    );
  };
}

export const QueueIcon = icon(<path d="M4 6h16M4 12h16M4 18h10" />);
export const SearchIcon = icon(
  <>
    <circle cx="11" cy="11" r="6" />
    <path d="m20 20-4.5-4.5" />
  </>,
);
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4" />
  </>,
);
export const MoonIcon = icon(<path d="M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z" />);
export const LeaveIcon = icon(<path d="M14 4h5v16h-5M4 12h10M10 8l4 4-4 4" />);
export const KeysIcon = icon(
  <>
    <rect x="3" y="6" width="18" height="12" rx="2" />
    <path d="M7 10h.01M12 10h.01M17 10h.01M8 14h8" />
  </>,
);
export const ZoomInIcon = icon(
  <>
    <circle cx="11" cy="11" r="6" />
    <path d="m20 20-4.5-4.5M11 8.5v5M8.5 11h5" />
  </>,
);
export const ZoomOutIcon = icon(
  <>
    <circle cx="11" cy="11" r="6" />
    <path d="m20 20-4.5-4.5M8.5 11h5" />
  </>,
);
export const RotateIcon = icon(<path d="M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5" />);
export const CompareIcon = icon(<path d="M12 4v16M4 6h5v12H4zM15 6h5v12h-5z" />);
export const WarningIcon = icon(<path d="M12 4 2.5 20h19zM12 10v5M12 17.5h.01" />);
export const DoneIcon = icon(<path d="m5 12.5 4.5 4.5L19 7" />);
export const DevelopersIcon = icon(<path d="m8 7-5 5 5 5M16 7l5 5-5 5M14 5l-4 14" />);
export const TeamIcon = icon(
  <>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .7 3 2.5 3 5.5" />
  </>,
);
export const ScreeningIcon = icon(
  <path d="M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.5 7-10V6zM9.5 12l2 2 3.5-4" />,
);
export const WorkflowsIcon = icon(
  <path d="M4 4h6v6H4zM14 14h6v6h-6zM10 7h5a2 2 0 0 1 2 2v5M14 17H9a2 2 0 0 1-2-2v-5" />,
);
export const OverviewIcon = icon(<path d="M4 20V10M10 20V4M16 20v-7M21 20H3" />);
export const PoliciesIcon = icon(<path d="M6 3h12v18H6zM9 8h6M9 12h6M9 16h3" />);
export const EditIcon = icon(<path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4" />);
export const KeyIcon = icon(
  <>
    <circle cx="8" cy="14" r="4" />
    <path d="m11 11 8-8M16 6l3 3M13.5 8.5l2 2" />
  </>,
);

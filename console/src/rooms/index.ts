/** The rooms in the order of the navigation. A user sees those that the role permits. */
import type { ComponentType } from "react";
import type { Role } from "@/api/contract";
import { DevelopersIcon, OverviewIcon, PoliciesIcon, QueueIcon, ScreeningIcon, SearchIcon, TeamIcon, WorkflowsIcon } from "@/parts/icons";
import type { Language } from "@/texts";

export interface Room {
  /** Its address below /console. */
  path: string;
  name: Record<Language, string>;
  /** The least role that sees it. */
  role: Role;
  icon: ComponentType;
}

export const ROOMS = [
  { path: "/", name: { es: "Cola", en: "Queue" }, role: "REVIEWER", icon: QueueIcon },
  { path: "/search", name: { es: "Buscar", en: "Search" }, role: "MEMBER", icon: SearchIcon },
  {
    path: "/screening",
    name: { es: "Listas", en: "Screening" },
    role: "MEMBER",
    icon: ScreeningIcon,
  },
  {
    path: "/overview",
    name: { es: "Resumen", en: "Overview" },
    role: "MEMBER",
    icon: OverviewIcon,
  },
  {
    path: "/workflows",
    name: { es: "Flujos", en: "Workflows" },
    role: "MEMBER",
    icon: WorkflowsIcon,
  },
  {
    path: "/policies",
    name: { es: "Políticas", en: "Policies" },
    role: "REVIEWER",
    icon: PoliciesIcon,
  },
  {
    path: "/developers",
    name: { es: "Desarrollo", en: "Developers" },
    role: "MEMBER",
    icon: DevelopersIcon,
  },
  { path: "/team", name: { es: "Equipo", en: "Team" }, role: "MEMBER", icon: TeamIcon },
] as const satisfies readonly Room[];

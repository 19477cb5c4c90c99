import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { caseRoute } from "@/rooms/case/route";
import { developersRoute } from "@/rooms/developers/route";
import { overviewRoute } from "@/rooms/overview/route";
import { policiesRoute } from "@/rooms/policies/route";
import { queueRoute } from "@/rooms/queue/route";
import { entryRoute, hitRoute, monitorRoute, recordRoute, screeningRoute } from "@/rooms/screening/route";
import { searchRoute } from "@/rooms/search/route";
import { signInRoute } from "@/rooms/sign-in/route";
import { teamRoute } from "@/rooms/team/route";
import { workflowsRoute } from "@/rooms/workflows/route";
import { Crashed, Waiting } from "./ErrorPages";
import { rootRoute } from "./root";
import { shellRoute } from "./shellRoute";

// A new room adds its routes here, and its place in the navigation to rooms/index.ts.
const routeTree = rootRoute.addChildren([
  signInRoute,
  shellRoute.addChildren([
    queueRoute,
    overviewRoute,
    caseRoute,
    searchRoute,
    screeningRoute,
    hitRoute,
    recordRoute,
    entryRoute,
    monitorRoute,
    workflowsRoute,
    policiesRoute,
    developersRoute,
    teamRoute,
  ]),
]);

export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: "/console",
    context: { queries },
    defaultPreload: "intent",
    // Query keeps what it loaded.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Waiting,
    defaultErrorComponent: Crashed,
    scrollRestoration: true,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

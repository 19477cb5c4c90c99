import { Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

const route = getRouteApi("/shell/case/$id");

export function CasePage() {
  const { id } = route.useParams();
  return <Title order={1}>{id}</Title>;
}

import { useNotifications } from "@mantine/notifications";
import { useLater } from "@/parts/later";

/** The notifications of all rooms. */
export function Messages() {
  const isAny = useNotifications().notifications.length > 0;
  const List = useLater(() => import("./MessageList").then((part) => part.MessageList), isAny);
  return List && <List />;
}

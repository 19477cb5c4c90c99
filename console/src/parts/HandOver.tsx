import { Button, Menu } from "@mantine/core";
import { useColleagues } from "@/api/reviewers";

interface Reviewer {
  id: string;
  name: string;
}

/** A button that opens the list of colleagues who may review; nothing if there are none. */
export function HandOver(props: {
  label: string;
  loading: boolean;
  onChoice: (to: Reviewer) => void;
  besides?: string | null;
}) {
  const others = useColleagues().filter(({ id }) => id !== props.besides);
  if (others.length === 0) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={props.loading}>
          {props.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map((each) => (
          <Menu.Item key={each.id} onClick={() => props.onChoice(each)}>
            {each.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

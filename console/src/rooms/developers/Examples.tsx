import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "@/api/session";
import { Copied } from "@/parts/Copied";
import { workflowsQuery } from "@/rooms/queue/queries";
import { useDeveloperWords } from "./texts";

/** Requests that run as they are once the key is set. */
export function Examples() {
  const words = useDeveloperWords();
  const { organization } = useSession();
  const workflows = useQuery(workflowsQuery);
  const base = window.location.origin;
  const workflowId = workflows.data?.workflows[0]?.id ?? "WORKFLOW_ID";
  const send = `-H "X-Api-Key: $ACREDITA_API_KEY" -H "Content-Type: application/json"`;
  return (
    <Stack>
      <Text>{words("examplesLead")}</Text>
      <Anchor href="/guide/" w="fit-content">
        {words("guide")}
      </Anchor>
      <Copied
        label={words("exampleToken")}
        text={`curl ${base}/v1/auth/token -H "Content-Type: application/json" \\
  -d '{"grant_type": "client_credentials", "client_id": "${organization.id}", "client_secret": "'"$ACREDITA_API_KEY"'"}'`}
      />
      <Copied
        label={words("exampleStart")}
        text={`curl ${base}/v1/verifications ${send} \\
  -d '{"workflowId": "${workflowId}", "externalId": "cliente-4711", "capture": {}}'`}
      />
      <Copied
        label={words("exampleUpload")}
        text={`curl ${base}/v1/verifications/$VERIFICATION_ID/inputs -H "X-Api-Key: $ACREDITA_API_KEY" \\
  -F front=@front.jpg -F back=@back.jpg -F selfie=@selfie.jpg`}
      />
      <Copied
        label={words("exampleRead")}
        text={`curl ${base}/v1/verifications/$VERIFICATION_ID -H "X-Api-Key: $ACREDITA_API_KEY"`}
      />
    </Stack>
  );
}

<?php
// The documented flow of MetaMap's API in PHP, with its cURL extension alone.
//
// php flow.php BASE CLIENT_ID CLIENT_SECRET FLOW FOLDER
[, $base, $id, $secret, $flow, $folder] = $argv;
$bearer = '';

function call(string $method, string $address, array $headers, $body = null): array
{
    $curl = curl_init($address);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => $headers,
    ]);
    if ($body !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    }
    $content = curl_exec($curl);
    if ($content === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $type = curl_getinfo($curl, CURLINFO_CONTENT_TYPE);
    if ($status >= 300) {
        throw new RuntimeException("$method $address: $status $content");
    }
    return [$content, $type];
}

function talk(string $method, string $path, ?array $given = null): array
{
    global $base, $bearer;
    $headers = ['accept: application/json', "authorization: Bearer $bearer"];
    $body = null;
    if ($given !== null) {
        $headers[] = 'content-type: application/json';
        $body = json_encode($given);
    }
    return json_decode(call($method, $base . $path, $headers, $body)[0], true);
}

$form = http_build_query(['grant_type' => 'client_credentials']);
$basic = ['accept: application/json', 'authorization: Basic ' . base64_encode("$id:$secret")];
$bearer = json_decode(call('POST', "$base/oauth", $basic, $form)[0], true)['access_token'];

$started = talk('POST', '/v2/verifications', ['flowId' => $flow, 'metadata' => ['user' => '4711']]);
$photo = fn (string $page, string $name): array => [
    'inputType' => 'document-photo',
    'group' => 0,
    'data' => ['type' => 'national-id', 'country' => 'MX', 'region' => '', 'page' => $page, 'filename' => $name],
];
$inputs = [
    $photo('front', 'INE-front.jpg'),
    $photo('back', 'INE-back.jpg'),
    ['inputType' => 'selfie-photo', 'data' => ['type' => 'selfie-photo', 'filename' => 'selfie.jpg']],
];
// An array of PHP has a key once, so the second document has an index, as in `document[1]`.
$files = [
    'inputs' => json_encode($inputs),
    'document[0]' => new CURLFile("$folder/INE-front.jpg", 'image/jpeg', 'INE-front.jpg'),
    'document[1]' => new CURLFile("$folder/INE-back.jpg", 'image/jpeg', 'INE-back.jpg'),
    'selfie' => new CURLFile("$folder/selfie.jpg", 'image/jpeg', 'selfie.jpg'),
];
$address = "$base/v2/identities/{$started['identity']}/send-input";
$answers = json_decode(call('POST', $address, ["authorization: Bearer $bearer"], $files)[0], true);

$path = "/v2/verifications/{$started['id']}";
for ($n = 0; $n < 600; $n++) {
    $found = talk('GET', $path);
    if (!in_array($found['identity']['status'], ['pending', 'running'], true)) {
        break;
    }
    usleep(500000);
}
$document = $found['documents'][0];
$link = parse_url($document['photos'][0]);
$here = parse_url($base);
[, $type] = call('GET', "http://{$here['host']}:{$here['port']}{$link['path']}?{$link['query']}", []);
talk('PUT', "$path/status", ['status' => 'rejected']);
$changed = talk('GET', $path)['identity']['status'];
talk('DELETE', "/verifications/{$started['id']}");
echo json_encode([
    'sent' => array_map(fn (array $answer): bool => $answer['result'] ?? false, $answers),
    'flow' => $started['flow']['id'],
    'metadata' => $found['metadata'],
    'status' => $found['identity']['status'],
    'type' => $document['type'],
    'curp' => $document['fields']['curp']['value'],
    'label' => $document['fields']['cde']['label'],
    'photo' => $type,
    'changed' => $changed,
    'deleted' => talk('GET', $path)['identity']['status'],
]), "\n";

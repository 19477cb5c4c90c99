// The documented flow of MetaMap's API in Go, with the standard library alone.
//
// go run flow.go BASE CLIENT_ID CLIENT_SECRET FLOW FOLDER
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type object = map[string]any

var base, bearer string

func call(method, address, contentType string, body io.Reader) (*http.Response, []byte) {
	request, err := http.NewRequest(method, address, body)
	if err != nil {
		log.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	request.Header.Set("Authorization", "Bearer "+bearer)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	return response, content
}

func talk(method, path string, given any) object {
	var body io.Reader
	contentType := ""
	if given != nil {
		encoded, _ := json.Marshal(given)
		body, contentType = bytes.NewReader(encoded), "application/json"
	}
	response, content := call(method, base+path, contentType, body)
	if response.StatusCode >= 300 {
		log.Fatalf("%s %s: %d %s", method, path, response.StatusCode, content)
	}
	var found object
	if err := json.Unmarshal(content, &found); err != nil {
		log.Fatal(err)
	}
	return found
}

func authorize(id, secret string) {
	form := strings.NewReader(url.Values{"grant_type": {"client_credentials"}}.Encode())
	request, _ := http.NewRequest("POST", base+"/oauth", form)
	request.SetBasicAuth(id, secret)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.NewDecoder(response.Body).Decode(&token); err != nil || token.AccessToken == "" {
		log.Fatal("no token: ", err)
	}
	bearer = token.AccessToken
}

func send(identity, folder string) []bool {
	photo := func(page, name string) object {
		data := object{"type": "national-id", "country": "MX", "region": "", "page": page, "filename": name}
		return object{"inputType": "document-photo", "group": 0, "data": data}
	}
	inputs, _ := json.Marshal([]object{
		photo("front", "INE-front.jpg"),
		photo("back", "INE-back.jpg"),
		{"inputType": "selfie-photo", "data": object{"type": "selfie-photo", "filename": "selfie.jpg"}},
	})
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("inputs", string(inputs))
	for _, each := range [][2]string{
		{"document", "INE-front.jpg"}, {"document", "INE-back.jpg"}, {"selfie", "selfie.jpg"},
	} {
		part, _ := form.CreateFormFile(each[0], each[1])
		file, err := os.Open(filepath.Join(folder, each[1]))
		if err != nil {
			log.Fatal(err)
		}
		_, _ = io.Copy(part, file)
		file.Close()
	}
	form.Close()
	response, content := call(
		"POST", base+"/v2/identities/"+identity+"/send-input", form.FormDataContentType(), &body)
	if response.StatusCode != 201 {
		log.Fatalf("send-input: %d %s", response.StatusCode, content)
	}
	var answers []struct {
		Result bool `json:"result"`
	}
	if err := json.Unmarshal(content, &answers); err != nil {
		log.Fatal(err)
	}
	sent := []bool{}
	for _, each := range answers {
		sent = append(sent, each.Result)
	}
	return sent
}

func status(found object) string { return found["identity"].(object)["status"].(string) }

func main() {
	base = os.Args[1]
	authorize(os.Args[2], os.Args[3])
	started := talk("POST", "/v2/verifications", object{
		"flowId": os.Args[4], "metadata": object{"user": "4711"}})
	sent := send(started["identity"].(string), os.Args[5])
	path := "/v2/verifications/" + started["id"].(string)
	found := talk("GET", path, nil)
	for n := 0; n < 600 && (status(found) == "pending" || status(found) == "running"); n++ {
		time.Sleep(500 * time.Millisecond)
		found = talk("GET", path, nil)
	}
	document := found["documents"].([]any)[0].(object)
	fields := document["fields"].(object)
	link, _ := url.Parse(document["photos"].([]any)[0].(string))
	here, _ := url.Parse(base)
	link.Scheme, link.Host = here.Scheme, here.Host
	bearer = ""
	photo, _ := http.Get(link.String())
	photo.Body.Close()
	authorize(os.Args[2], os.Args[3])
	talk("PUT", path+"/status", object{"status": "rejected"})
	changed := status(talk("GET", path, nil))
	talk("DELETE", "/verifications/"+started["id"].(string), nil)
	report, _ := json.Marshal(object{
		"sent": sent, "flow": started["flow"].(object)["id"], "metadata": found["metadata"],
		"status": status(found), "type": document["type"],
		"curp": fields["curp"].(object)["value"], "label": fields["cde"].(object)["label"],
		"photo": photo.Header.Get("Content-Type"), "changed": changed,
		"deleted": status(talk("GET", path, nil)),
	})
	fmt.Println(string(report))
}

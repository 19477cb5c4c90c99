import { render } from "preact";
import { App } from "./app";
import { tell } from "./embedding";
import { pause } from "./progress";
import { firstLanguage, loadTexts } from "./texts";
import "./style.css";

// Without a connection, the page that the server rendered stays.
const AGAIN = 2_000;

async function begin(): Promise<void> {
  const language = firstLanguage();
  const texts = await loadTexts(language);
  render(<App language={language} texts={texts} />, document.getElementById("app")!);
  tell({ type: "loaded" });
}

async function insist(): Promise<void> {
  while (!(await begin().then(() => true, () => false))) await pause(AGAIN);
}

void insist();

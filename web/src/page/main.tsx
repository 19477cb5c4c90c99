import { render } from "preact";
import { App } from "./app";
import { tell } from "./embedding";
import "./style.css";

render(<App />, document.getElementById("app")!);
tell({ type: "loaded" });

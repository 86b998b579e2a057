// Opens the journal that a saved page holds.

import { openJournal, savedJournal } from "./offline.js";
import { openInspector } from "./inspector.js";

const inspectorRoot = document.body.appendChild(document.createElement("div"));
inspectorRoot.className = "page";
openInspector(inspectorRoot, openJournal(savedJournal()));

// Opens the journal that a saved page holds.

import { openJournal, savedJournal } from "./offline.js";
import { openInspector } from "./inspector.js";

openInspector(document.querySelector(".page"), openJournal(savedJournal()));

// All sessions of a service, newest first; each name is a link.

import { connect } from "./client.js";
import { ago, steps } from "./said.js";
import { takeToken } from "./service.js";

const pageSize = 100;
const byId = (id) => document.getElementById(id);

function row(session) {
  const element = document.createElement("tr");
  const link = (page, text) => Object.assign(document.createElement("a"),
    { href: `../${page}/${encodeURIComponent(session.id)}/`, textContent: text });
  const look = link("inspect", "Inspect");
  look.setAttribute("aria-label", `Inspect ${session.id}`);
  const cells = [link("play", session.id), look, session.flow, steps(session), ago(session.updated), ago(session.created)];
  for (const cell of cells) element.insertCell().append(cell);
  element.cells[4].title = session.updated;
  element.cells[5].title = session.created;
  return element;
}

function say(text, kind = "") {
  byId("state").textContent = text;
  byId("state").className = kind;
}

async function show() {
  const service = connect(location.origin, { token: takeToken(globalThis), patience: 5000 });
  let next;
  const load = async (isFirst) => {
    say("Looking …");
    try {
      const page = await service.list({ flow: byId("flow").value || undefined, after: isFirst ? undefined : next, limit: pageSize });
      if (isFirst) byId("rows").replaceChildren();
      byId("rows").append(...page.sessions.map(row));
      next = page.next;
      byId("more").hidden = !next;
      const count = byId("rows").rows.length;
      say(count ? `${count}${next ? " and more" : ""}` : "There is none yet.");
    } catch (error) {
      say(error.status === 401 ? "Open the address that you were given, with all that follows the #." : error.message, "bad");
    }
  };
  byId("more").onclick = () => load(false);
  byId("again").onclick = byId("flow").onchange = () => load(true);
  await load(true);
  const flows = await service.flows().catch(() => []);
  for (const { name } of flows) byId("flow").append(new Option(name, name));
}

show();

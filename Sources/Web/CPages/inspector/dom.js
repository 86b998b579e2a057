// Elements from plain descriptions, updated in place. Texts become text nodes, never markup.

/** The last description of each element. */
const described = new WeakMap();

/** Properties that must be set instead of the attribute of the same name. */
const asProperty = new Set([
  "value", "checked", "disabled", "open", "indeterminate", "hidden", "defaultValue", "defaultChecked",
]);

/**
 * A description of an element. `key` distinguishes it from its siblings, `on…` are listeners, `vars` are custom
 * properties of its style. `made` is called once with the element, `shown` after each update of it and its
 * surroundings. Everything else is an attribute.
 */
export function h(tag, props, ...children) {
  const { key, ...rest } = props ?? {};
  return { tag, key, props: rest, children: children.flat(Infinity) };
}

/**
 * Updates the children of an element. Elements of the same tag and key stay, with their focus and input; without
 * keys they are matched in order.
 */
export function patch(parent, children) {
  depth++;
  try {
    reconcile(parent, children);
  } finally {
    depth--;
  }
  if (depth === 0) for (const [element, shown] of due.splice(0)) shown(element);
}

/** Called when the outermost element is up to date. */
const due = [];
let depth = 0;

function reconcile(parent, children) {
  const old = new Map();
  const named = counter();
  for (const node of parent.childNodes) {
    const of = described.get(node);
    if (of) old.set(of.key ?? named(of.tag), node);
    else if (node.nodeType === 3) old.set(named("#text"), node);
  }
  // Each is taken once, so that a second child of the same key is another element.
  const take = (key) => {
    const node = old.get(key);
    old.delete(key);
    return node;
  };
  const wanted = [];
  const name = counter();
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (child instanceof Node) {
      wanted.push(child);
      continue;
    }
    const text = typeof child !== "object";
    let node = take(text ? name("#text") : child.key ?? name(child.tag));
    if (text) {
      const data = String(child);
      if (node?.nodeType !== 3) node = document.createTextNode(data);
      else if (node.data !== data) node.data = data;
    } else {
      const known = node && described.get(node);
      if (known?.tag !== child.tag) node = document.createElement(child.tag);
      update(node, child, known?.tag === child.tag ? known : undefined);
    }
    wanted.push(node);
  }
  const kept = new Set(wanted);
  for (const node of [...parent.childNodes]) if (!kept.has(node)) node.remove();
  let next = parent.firstChild;
  for (const node of wanted) {
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
}

/** Returns keys for elements without one: the first `p`, the second `p`. */
function counter() {
  const counts = {};
  return (tag) => `${tag} ${counts[tag] = (counts[tag] ?? 0) + 1}`;
}

/** Updates an element from its previous description to a new one. */
function update(element, now, before) {
  for (const name in before?.props) if (!(name in now.props)) setProp(element, name, undefined);
  reconcile(element, now.children);
  for (const name in now.props) {
    const value = now.props[name];
    if (!before || before.props[name] !== value || asProperty.has(name)) setProp(element, name, value);
  }
  described.set(element, now);
  if (!before) now.props.made?.(element);
  if (now.props.shown) due.push([element, now.props.shown]);
}

function setProp(element, name, value) {
  if (name === "made" || name === "shown") return;
  if (name.startsWith("on")) element[name] = value ?? null;
  else if (name === "vars") for (const key in value) element.style.setProperty(key, value[key]);
  else if (asProperty.has(name)) {
    if (element[name] !== (value ?? "")) element[name] = value ?? (name === "value" ? "" : false);
  } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

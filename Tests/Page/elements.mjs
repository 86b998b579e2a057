// As much of a page's elements as the modules use, for tests with node.

class Node {
  constructor(nodeType) { Object.assign(this, { nodeType, parentNode: null }); }
  get nextSibling() { return this.parentNode?.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null; }
  get isConnected() { return true; }
  remove() {
    const siblings = this.parentNode?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }
}

class Text extends Node {
  constructor(data) {
    super(3);
    this.data = data;
  }
  get textContent() { return this.data; }
}

class Element extends Node {
  constructor(tagName) {
    super(1);
    Object.assign(this, { tagName, childNodes: [], attributes: new Map(), style: { setProperty() {} }, dataset: {} });
  }
  get firstChild() { return this.childNodes[0] ?? null; }
  get textContent() { return this.childNodes.map((node) => node.textContent).join(""); }
  get elements() { return this.querySelectorAll("input, textarea, button"); }
  insertBefore(node, next) {
    node.remove();
    const place = next ? this.childNodes.indexOf(next) : this.childNodes.length;
    if (place < 0) throw new Error("the next one is of another element");
    this.childNodes.splice(place, 0, node);
    node.parentNode = this;
  }
  setAttribute(name, value) { this.attributes.set(name, value); }
  removeAttribute(name) { this.attributes.delete(name); }
  focus() {}
  reset() {}
  /** Knows tags and classes, with commas. */
  querySelectorAll(selectors) {
    const wanted = selectors.split(", ");
    const classes = (node) => (node.attributes.get("class") ?? "").split(" ");
    const isWanted = (node) => wanted.some((one) => one.startsWith(".") ? classes(node).includes(one.slice(1)) : node.tagName === one);
    return this.childNodes.flatMap((node) => node.nodeType === 3 ? []
      : [...(isWanted(node) ? [node] : []), ...node.querySelectorAll(selectors)]);
  }
}

/** Has the modules find a page. */
export function makePage() {
  globalThis.Node = Node;
  globalThis.document = {
    createElement: (tag) => new Element(tag), createTextNode: (data) => new Text(data), activeElement: null,
  };
}

// Requests that a render declares, as a workflow declares workers: new ones are sent, and those that are no longer
// declared are dropped.

/** Sends declared requests to a host. Each slot has at most one running request. */
export class Asking {
  #request;
  #dispatch;
  #later;
  #declared = new Map();
  #underWay = new Set();

  /** `dispatch` takes `answered` and `unneeded`. */
  constructor(request, dispatch, later = (...given) => setTimeout(...given)) {
    this.#request = request;
    this.#dispatch = dispatch;
    this.#later = later;
  }

  /** Starts a render, which declares all its requests anew. */
  begin() {
    this.#declared.clear();
  }

  /**
   * Declares a request and returns the answer so far: its own, or the last one of its slot. The `key` identifies
   * the request.
   */
  ask(answers, slot, message, key) {
    this.#declared.set(slot, { message, key });
    const known = answers[slot];
    return { value: known?.value, error: known?.error, waiting: known?.key !== key };
  }

  /** Ends a render: sends new requests and drops undeclared ones. */
  end(answers) {
    for (const [slot, { message, key }] of this.#declared) {
      if (answers[slot]?.key !== key && !this.#underWay.has(slot)) this.#send(slot, message, key);
    }
    const slots = Object.keys(answers).filter((slot) => !this.#declared.has(slot));
    if (slots.length) this.#dispatch({ type: "unneeded", slots });
  }

  async #send(slot, message, key) {
    this.#underWay.add(slot);
    const answer = await this.#request(message).then((value) => ({ value }), (error) => ({ error }));
    const again = () => {
      this.#underWay.delete(slot);
      const next = this.#declared.get(slot);
      if (next) this.#send(slot, next.message, next.key);
    };
    // What the slot needs then is asked after a pause.
    if (answer.error?.code === "connection") this.#later(again, 1000);
    else this.#underWay.delete(slot);
    // An answer to a dropped request is ignored; an answer of an earlier key is better than none.
    if (this.#declared.has(slot)) this.#dispatch({ type: "answered", slot, key, ...answer });
  }
}

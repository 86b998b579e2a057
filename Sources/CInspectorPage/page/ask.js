// Requests that are declared while the page is rendered, as workers are in a workflow: what is declared
// and not known is asked, what is no longer declared is forgotten.

/** Asks a host for what is declared. Of each slot at most one request is under way. */
export class Asking {
  #request;
  #dispatch;
  #declared = new Map();
  #underWay = new Set();

  /** `dispatch` takes `answered` and `unneeded`. */
  constructor(request, dispatch) {
    this.#request = request;
    this.#dispatch = dispatch;
  }

  /** Begins a rendering, which declares everything anew. */
  begin() {
    this.#declared.clear();
  }

  /**
   * Declares a request, and gives what is known so far: the answer to it, or the last one of its slot.
   * Its `key` is what the answer must be an answer to: a request of another key is another one.
   */
  ask(answers, slot, message, key) {
    this.#declared.set(slot, { message, key });
    const known = answers[slot];
    return { value: known?.value, error: known?.error, waiting: known?.key !== key };
  }

  /** Ends a rendering: sends what is not known, forgets what is not declared. */
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
    this.#underWay.delete(slot);
    // An answer that comes when nobody asks any more is dropped; one of an earlier key is better than none.
    if (this.#declared.has(slot)) this.#dispatch({ type: "answered", slot, key, ...answer });
  }
}

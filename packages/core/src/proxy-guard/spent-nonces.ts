/** A request is accepted this long before and after its timestamp. */
export const windowMillis = 30_000

// A signed request may come half a minute early and again half a minute late.
const memoryMillis = 2 * windowMillis

/**
 * The nonces of signed requests, each good for one time within the window. Only those of valid
 * signatures come here, so a stranger cannot fill it. Over its limit, some 4,000 requests a second,
 * it forgets the oldest first. If it refused new ones, a client that sends that many would make the
 * server lose the address of every browser.
 *
 * Each instance has its own. Replayed at another one, a request counts once more as that browser's:
 * it is the same request from the same address, and a signed-in one that changes something is
 * refused there for its `jti`.
 */
export class SpentNonces {
  readonly #forgetAt = new Map<string, number>()
  readonly #limit: number

  constructor(limit = 250_000) {
    this.#limit = limit
  }

  get size() {
    return this.#forgetAt.size
  }

  /** False if it was spent before. */
  spend(nonce: string, now: number) {
    if (this.#forgetAt.has(nonce)) return false
    this.#forget(now)
    this.#forgetAt.set(nonce, now + memoryMillis)
    return true
  }

  /** The oldest come first, because a map keeps the order of insertion. */
  #forget(now: number) {
    for (const [nonce, forgetAt] of this.#forgetAt) {
      if (forgetAt >= now && this.#forgetAt.size < this.#limit) return
      this.#forgetAt.delete(nonce)
    }
  }
}

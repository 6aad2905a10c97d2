// Longer than any call may take, whatever the web app's own limit is.
const keptMillis = 60_000

/** A sign-in or a rotation each: as many as a busy process sees in a minute. */
const mostKept = 10_000

/**
 * Keys whose session was replaced or ended a moment ago. What they had signed may be answered after the browser has
 * got its new cookies, and that answer must neither clear those nor bring the old ones back.
 */
export class RetiredKeys {
  readonly #untilMillis = new Map<string, number>()

  add(keyId: string) {
    this.#untilMillis.delete(keyId)
    this.#untilMillis.set(keyId, Date.now() + keptMillis)
    // The oldest are the first of the Map.
    for (const [oldest, untilMillis] of this.#untilMillis) {
      if (untilMillis > Date.now() && this.#untilMillis.size <= mostKept) break
      this.#untilMillis.delete(oldest)
    }
  }

  has(keyId: string) {
    return (this.#untilMillis.get(keyId) ?? 0) > Date.now()
  }
}

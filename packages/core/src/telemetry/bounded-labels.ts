import type { Labels } from '../observation/observation.ts'

/**
 * Far more than an application has routes, events and codes. A metric that exceeds it has labels
 * that clients choose.
 */
const mostSeries = 5000

/** Limits the size of a metric: series over the limit are counted together. */
export class BoundedLabels {
  readonly #names: readonly string[]
  readonly #known = new Map<string, Record<string, string>>()
  readonly #rest: Record<string, string>

  constructor(names: readonly string[]) {
    this.#names = names
    this.#rest = Object.fromEntries(names.map((name) => [name, 'other']))
  }

  of(given: Labels = {}): Record<string, string> {
    const names = this.#names
    const key = names.length === 1 ? (given[names[0] as string] ?? '') : this.#keyOf(given)
    const known = this.#known.get(key)
    if (known) return known
    if (this.#known.size >= mostSeries) return this.#rest
    const labels = Object.fromEntries(names.map((name) => [name, given[name] ?? '']))
    this.#known.set(key, labels)
    return labels
  }

  #keyOf(given: Labels) {
    let key = ''
    for (const name of this.#names) key += `${given[name] ?? ''}\n`
    return key
  }
}

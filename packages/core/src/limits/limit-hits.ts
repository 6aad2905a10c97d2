import type { Clock } from '../clock/clock.ts'

const hourMillis = 3_600_000
const hoursKept = 24

/** A limit that has refused requests. */
interface LimitHit {
  /** Its name, such as `login by address`. */
  readonly limit: string
  readonly count: number
  readonly lastAt: string
}

interface Counts {
  lastAt: Date
  /** By the hour since 1970. */
  readonly hours: Map<number, number>
}

/**
 * How often the limits of this process have refused a request in the last 24 hours. It keeps the
 * names of limits, and no address and no account.
 */
export class LimitHits {
  readonly #clock: Clock
  readonly #startedAt: Date
  readonly #byLimit = new Map<string, Counts>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startedAt = clock.now()
  }

  add(limit: string) {
    const now = this.#clock.now()
    const hour = hourOf(now)
    const counts = this.#byLimit.get(limit) ?? { lastAt: now, hours: new Map() }
    if (!counts.hours.has(hour)) dropOld(counts, now)
    counts.hours.set(hour, (counts.hours.get(hour) ?? 0) + 1)
    counts.lastAt = now
    this.#byLimit.set(limit, counts)
  }

  /** The most frequent first, and since when they are counted. */
  list(): { since: string; hits: LimitHit[] } {
    const now = this.#clock.now()
    for (const [limit, counts] of this.#byLimit) {
      dropOld(counts, now)
      if (counts.hours.size === 0) this.#byLimit.delete(limit)
    }
    const hits = [...this.#byLimit].map(([limit, { lastAt, hours }]) => ({
      limit,
      count: [...hours.values()].reduce((one, other) => one + other, 0),
      lastAt: lastAt.toISOString(),
    }))
    const since = Math.max(this.#startedAt.getTime(), oldestHour(now) * hourMillis)
    return {
      since: new Date(since).toISOString(),
      hits: hits.toSorted((one, other) => other.count - one.count),
    }
  }
}

const hourOf = (at: Date) => Math.floor(at.getTime() / hourMillis)
const oldestHour = (now: Date) => hourOf(now) - hoursKept + 1

function dropOld({ hours }: Counts, now: Date) {
  for (const hour of hours.keys()) if (hour < oldestHour(now)) hours.delete(hour)
}

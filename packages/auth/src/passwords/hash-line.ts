import { randomBytes } from 'node:crypto'
import { addressSubject, ServiceUnavailableError } from '@svc/core'

/** The caller who asks for a turn. */
export interface Asker {
  readonly address: string | null
  /** The place that an earlier refusal has kept for this caller. */
  readonly place?: string | null
  /** The limit that the caller was counted against on the way here. */
  readonly counted?: string | undefined
  /** Whether the caller has hung up. */
  readonly isGone?: () => boolean
}

export interface HashLineOptions {
  /** How many have their turn at the same time. */
  atOnce: number
  /** How long a caller may wait here. Callers who would wait longer are told when to come back. */
  waitMillis: number
  /** The time from one turn to the next, as long as all threads hash. */
  turnMillis: () => number
  /** How many places there are, waiting or kept. */
  places?: number
}

interface Place {
  readonly subject: string | null
  /** Of each address one in a round. */
  readonly round: number
  /** In a round, the first to come is the first to be served. */
  readonly number: number
  waiting: Waiting | null
  /** Of one that is kept for a caller who is away. */
  kept: Kept | null
}

interface Kept {
  ticket: string
  fromMillis: number
  untilMillis: number
  /** What the caller was counted against, until the return that is free of it. */
  counted: string | undefined
}

interface Waiting {
  asker: Asker
  timer: NodeJS.Timeout | undefined
  start: () => void
  refuse: (error: Error) => void
}

/** No place is kept that is further away: no user waits that long for a page. */
const longestWaitMillis = 120_000
/** How much later than told a caller may come back. */
const graceMillis = 10_000
/**
 * How far an estimate may be off: a caller who is told to wait here should not be refused after
 * all.
 */
const margin = 1.25

/**
 * The line of those who want to hash. It stands before any work: a turn comes before the account is
 * looked up, so the line cannot tell whether there is one, and a refusal means that nothing was
 * begun.
 *
 * Addresses take turns, so that one with a thousand callers does not stand before the first of
 * another. A caller who would wait for too long is refused with a ticket for their place. If they
 * bring it back in time, they keep the place.
 */
export function createHashLine({
  atOnce,
  waitMillis,
  turnMillis,
  places = 10_000,
}: HashLineOptions) {
  /** In the order of their turns. */
  const line: Place[] = []
  const kept = new Map<string, Place>()
  /** Of each address that is in line: how many places it has, and the round of the latest. */
  const addresses = new Map<string | null, { count: number; round: number }>()
  let busy = 0
  let waiting = 0
  /** How long a turn takes. Where it is not the hash that takes the time, this tells it. */
  let spentMillis = 0
  /** The round of the latest turn, and the number of the latest place. */
  let round = 0
  let number = 0
  /** The share of the kept places that are claimed. The others would hold up those who are here. */
  let claimed = 1
  let sweptAt = 0
  let isClosed = false
  let mayWait = true

  /** Resolves when it is the caller's turn, to what ends it. Refuses at once where that would take too long. */
  function enter(asker: Asker) {
    return new Promise<() => void>((resolve, reject) => {
      if (isClosed) throw new ServiceUnavailableError()
      sweep()
      const place = claim(asker.place) ?? join(asker)
      place.waiting = {
        asker,
        timer: undefined,
        start: () => resolve(begin(place)),
        refuse: reject,
      }
      waiting += 1
      if (busy < atOnce) return place.waiting.start()
      if (!mayWait) {
        leave(place)
        throw new ServiceUnavailableError()
      }
      if (waitOf(place) * margin > waitMillis) return keep(place)
      place.waiting.timer = setTimeout(() => keep(place), waitMillis)
    })
  }

  /**
   * Whether a caller comes back who was counted before the place was kept: once for each ticket, where it was counted, and
   * not before the time that was told. Sooner, one count would be good for as many requests as a flood can send.
   */
  function spendReturn(ticket: string | null, counted: string) {
    const own = kept.get(ticket ?? '')?.kept
    if (own?.counted !== counted || own.fromMillis > performance.now()) return false
    own.counted = undefined
    return true
  }

  /** Each ticket is good once. One of another instance, or one that has ended, is as good as none. */
  function claim(ticket: string | null | undefined) {
    const place = kept.get(ticket ?? '')
    if (!place) return null
    kept.delete(ticket ?? '')
    place.kept = null
    claimed += (1 - claimed) / 16
    return place
  }

  function join({ address }: Asker) {
    const subject = address === null ? null : addressSubject(address)
    const own = addresses.get(subject) ?? { count: 0, round: 0 }
    const place: Place = {
      subject,
      round: Math.max(round, own.round) + 1,
      number: (number += 1),
      waiting: null,
      kept: null,
    }
    if (line.length >= places) giveWay(place)
    line.splice(indexOf(place), 0, place)
    addresses.set(subject, { count: own.count + 1, round: place.round })
    return place
  }

  /** The last in line is of the address that has the most. It goes, unless that would be this one. */
  function giveWay(place: Place) {
    const last = line.at(-1)
    if (!last || !isBefore(place, last)) throw full()
    last.waiting?.refuse(full())
    leave(last)
  }

  function begin(place: Place) {
    leave(place)
    round = Math.max(round, place.round)
    busy += 1
    const beganAt = performance.now()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      busy -= 1
      spentMillis += (performance.now() - beganAt - spentMillis) / 16
      advance()
    }
  }

  function advance() {
    for (let next = nextInLine(); next?.waiting; next = nextInLine()) {
      const { asker, start, refuse } = next.waiting
      if (!asker.isGone?.()) start()
      else {
        leave(next)
        refuse(new ServiceUnavailableError())
      }
    }
  }

  /** The first who is here, where there is a turn to give. */
  function nextInLine() {
    return busy < atOnce && waiting > 0 ? line.find((place) => place.waiting) : undefined
  }

  /** Sends a caller away with a ticket for the place. */
  function keep(place: Place) {
    const { asker, refuse } = place.waiting ?? {}
    stopWaiting(place)
    const millis = waitOf(place)
    if (millis > longestWaitMillis) {
      leave(place)
      return refuse?.(full())
    }
    const ticket = randomBytes(16).toString('base64url')
    // In time to wait for the rest of it here: a turn is lost if its caller has not come back.
    const retryAfter = Math.max(1, Math.round((millis - waitMillis / 2) / 1000))
    const fromMillis = performance.now() + retryAfter * 1000
    const untilMillis = fromMillis + graceMillis
    place.kept = { ticket, fromMillis, untilMillis, counted: asker?.counted }
    kept.set(ticket, place)
    refuse?.(
      new ServiceUnavailableError({
        message: 'Many people are signing in right now. A place in line is kept for you.',
        retryAfter,
        place: ticket,
      }),
    )
  }

  /** How long it takes until the turn of a place comes, as things are. */
  function waitOf(place: Place) {
    const millis = Math.max(turnMillis(), spentMillis / atOnce)
    const most = longestWaitMillis / millis
    let ahead = 1
    for (const each of line) {
      if (each === place || ahead > most) break
      ahead += each.waiting ? 1 : claimed
    }
    return ahead * millis
  }

  /** Forgets the places whose callers have not come back. */
  function sweep() {
    const now = performance.now()
    if (kept.size === 0 || now - sweptAt < 1000) return
    sweptAt = now
    for (const place of kept.values()) {
      if (!place.kept || place.kept.untilMillis > now) continue
      claimed -= claimed / 16
      leave(place)
    }
  }

  function leave(place: Place) {
    stopWaiting(place)
    if (place.kept) kept.delete(place.kept.ticket)
    place.kept = null
    line.splice(indexOf(place), 1)
    const own = addresses.get(place.subject)
    if (!own || own.count === 1) addresses.delete(place.subject)
    else own.count -= 1
  }

  function stopWaiting(place: Place) {
    if (!place.waiting) return
    clearTimeout(place.waiting.timer)
    place.waiting = null
    waiting -= 1
  }

  /** Where a place stands, or would stand. */
  function indexOf(place: Place) {
    let [from, to] = [0, line.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (isBefore(line[middle] as Place, place)) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Refuses all who wait here. */
  function sendAway() {
    for (const place of line.filter((each) => each.waiting)) {
      const refuse = place.waiting?.refuse
      leave(place)
      refuse?.(new ServiceUnavailableError())
    }
  }

  /** Refuses all who wait here, and from now on all who would have to. Balancers may not have noticed yet. */
  function endWaiting() {
    mayWait = false
    sendAway()
  }

  /** Refuses all, now and from now on; those whose turn it is go on. */
  function close() {
    isClosed = true
    sendAway()
    line.length = 0
    kept.clear()
    addresses.clear()
  }

  return {
    enter,
    spendReturn,
    sendAway,
    endWaiting,
    close,
    /** How many have their turn, or wait here for it. */
    get taken() {
      return busy + waiting
    },
  }
}

function isBefore(one: Place, other: Place) {
  return one.round === other.round ? one.number < other.number : one.round < other.round
}

/** Nothing is kept for a caller who gets this. */
function full() {
  return new ServiceUnavailableError({ retryAfter: longestWaitMillis / 1000 })
}

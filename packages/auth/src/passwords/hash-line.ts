import { randomBytes } from 'node:crypto'
import { addressSubject, ServiceUnavailableError } from '@svc/core'

/** The caller who asks for a turn. */
export interface Asker {
  readonly address: string | null
  /** The place that an earlier refusal has kept for this caller. */
  readonly place?: string | null
  /** The limit that counted the caller's request. */
  readonly counted?: string | undefined
  /** Whether the caller has closed the connection. */
  readonly isGone?: () => boolean
}

export interface HashLineOptions {
  /** How many have their turn at the same time. */
  atOnce: number
  /** How long a caller may wait here. Callers who would wait longer are told when to retry. */
  waitMillis: number
  /** The time from one turn to the next while all threads hash. */
  turnMillis: () => number
  /** How many places there are, waiting or kept. */
  places?: number
}

interface Place {
  readonly subject: string | null
  /** Each address has one place in a round. */
  readonly round: number
  /** In a round, places are served in the order in which they came. */
  readonly number: number
  waiting: Waiting | null
  /** Set if the place is kept for a caller who is away. */
  kept: Kept | null
}

interface Kept {
  ticket: string
  fromMillis: number
  untilMillis: number
  /** The limit that counted the caller, until the one retry that it does not count. */
  counted: string | undefined
}

interface Waiting {
  asker: Asker
  timer: NodeJS.Timeout | undefined
  start: () => void
  refuse: (error: Error) => void
}

/** No place is kept for longer: no user waits that long for a page. */
const longestWaitMillis = 120_000
/** How much later than told a caller may retry. */
const graceMillis = 10_000
/**
 * How far an estimate may be wrong: a caller who is told to wait here should not be refused after
 * all.
 */
const margin = 1.25

/**
 * The queue of callers who want to hash. It comes before any work: a caller gets a turn before the
 * account is looked up, so the queue can't reveal whether there is one, and a refusal means that
 * nothing has begun.
 *
 * Addresses take turns, so that one with a thousand callers does not block the first caller of
 * another. A caller who would wait for too long is refused with a ticket for their place. If they
 * return it in time, they keep the place.
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
  /** For each address in the queue: how many places it has, and the round of the latest. */
  const addresses = new Map<string | null, { count: number; round: number }>()
  let busy = 0
  let waiting = 0
  /** How long a turn takes. If something other than the hash takes the time, this measures it. */
  let spentMillis = 0
  /** The round of the latest turn, and the number of the latest place. */
  let round = 0
  let number = 0
  /**
   * The share of kept places whose callers return. The others would delay the callers who are here.
   */
  let claimed = 1
  let sweptAt = 0
  let isClosed = false
  let mayWait = true

  /**
   * Resolves to the function that ends the caller's turn, once it begins. Refuses at once if that
   * would take too long.
   */
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
   * Whether a retry with this ticket is free of the limit: it was counted when the place was kept.
   * Each ticket allows one, and not before the time that was told. Otherwise, one count would allow
   * as many requests as a flood can send.
   */
  function spendReturn(ticket: string | null, counted: string) {
    const own = kept.get(ticket ?? '')?.kept
    if (own?.counted !== counted || own.fromMillis > performance.now()) return false
    own.counted = undefined
    return true
  }

  /** Each ticket is valid once. One of another instance, or one that has ended, is ignored. */
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

  /** The last place of the address with the most places is removed, unless it is this one. */
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

  /** The first caller who is here, if a turn is free. */
  function nextInLine() {
    return busy < atOnce && waiting > 0 ? line.find((place) => place.waiting) : undefined
  }

  /** Refuses a caller with a ticket for the place. */
  function keep(place: Place) {
    const { asker, refuse } = place.waiting ?? {}
    stopWaiting(place)
    const millis = waitOf(place)
    if (millis > longestWaitMillis) {
      leave(place)
      return refuse?.(full())
    }
    const ticket = randomBytes(16).toString('base64url')
    // Early enough to wait here for the rest: a turn is lost if its caller has not returned.
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

  /** How long until the turn of a place begins, by present estimates. */
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

  /** Deletes the places whose callers have not returned. */
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

  /** The index of a place in the queue, or the one it would have. */
  function indexOf(place: Place) {
    let [from, to] = [0, line.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (isBefore(line[middle] as Place, place)) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Refuses all callers who wait here. */
  function sendAway() {
    for (const place of line.filter((each) => each.waiting)) {
      const refuse = place.waiting?.refuse
      leave(place)
      refuse?.(new ServiceUnavailableError())
    }
  }

  /**
   * Refuses all callers who wait here, and from now on all who would have to. Balancers may not
   * have noticed the shutdown yet.
   */
  function endWaiting() {
    mayWait = false
    sendAway()
  }

  /** Refuses all callers, now and from now on. Those whose turn has begun go on. */
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

/** No place is kept for a caller who gets this. */
function full() {
  return new ServiceUnavailableError({ retryAfter: longestWaitMillis / 1000 })
}

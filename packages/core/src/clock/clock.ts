import type { Database } from '../database/server.ts'
import type { Log } from '../observation/observation.ts'

/** Time is a dependency: an operation reads it once, and a test may move it. */
export interface Clock {
  now(): Date
  /**
   * Set for a test's clock, which must not be compared with the clocks of the database and the
   * cache.
   */
  readonly isVirtual?: boolean
}

/** This machine's time: the clock of a server that is not given another one. */
export const systemClock: Clock = { now: () => new Date() }

/** The difference between the clock of this machine and the database's, which all instances share. */
export interface ClockComparison {
  readonly state: 'right' | 'apart' | 'off'
  /** Negative if this machine is behind. */
  readonly aheadMillis: number
}

/** Null while the database does not answer. */
export type ClockWatch = () => Promise<ClockComparison | null>

interface Watched {
  readonly clock: Clock
  readonly database: Pick<Database, 'now'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

const apartMillis = 1_000
/**
 * A client's clock may be ahead by as much. Beyond it, a request that was spent at one instance may
 * be accepted at another.
 */
const offMillis = 30_000

/** Compares the two clocks at each call, and logs each change once. */
export function watchClock({ clock, database, log }: Watched): ClockWatch {
  let known: ClockComparison['state'] = 'right'
  return async () => {
    const asked = clock.now()
    const there = await database.now()
    if (there === null) return null
    const aheadMillis = aheadBy(there, { asked, answered: clock.now() })
    const state = stateOf(Math.abs(aheadMillis), known)
    if (state !== known) say(log, { state, aheadMillis })
    known = state
    return { state, aheadMillis }
  }
}

/**
 * The smallest possible difference: the database read its clock at some time between query and
 * answer.
 */
function aheadBy(there: Date, { asked, answered }: { asked: Date; answered: Date }) {
  const [earliest, latest] = [
    asked.getTime() - there.getTime(),
    answered.getTime() - there.getTime(),
  ]
  if (earliest > 0) return Math.round(earliest)
  return Math.round(Math.min(latest, 0))
}

function stateOf(millis: number, known: ClockComparison['state']) {
  if (millis > offMillis) return 'off'
  // A clock that varies around one second must not be logged each time.
  const isApart = millis > (known === 'right' ? apartMillis : apartMillis / 2)
  return isApart ? 'apart' : 'right'
}

const remedy =
  'Synchronize both machines with the same time source, for example by chrony or systemd-timesyncd.'

function say(log: Watched['log'], { state, aheadMillis }: ClockComparison) {
  if (state === 'right') {
    log.info({ aheadMillis }, 'the clock of this machine and that of the database agree again')
    return
  }
  const seconds = (Math.abs(aheadMillis) / 1000).toFixed(1)
  const standing = `the clock of this machine is ${seconds} s ${aheadMillis > 0 ? 'ahead of' : 'behind'} the database's`
  if (state === 'apart') log.warn({ aheadMillis }, `${standing}. ${remedy}`)
  else
    log.error(
      { aheadMillis },
      `${standing}: this instance is not ready until they are less than 30 s apart. ${remedy}`,
    )
}

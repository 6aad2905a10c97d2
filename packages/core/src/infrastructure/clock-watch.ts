import type { Database } from '../database/connect.ts'
import type { Clock } from './clock.ts'
import type { Log } from './logger.ts'

/** How the clock of this machine stands to the database's, which all instances share. */
export interface ClockComparison {
  readonly state: 'right' | 'apart' | 'off'
  /** Below zero where it is behind. */
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
/** What a client's clock may be ahead, too. Beyond it, what was spent at one instance may pass at another. */
const offMillis = 30_000

/** Compares the two clocks whenever it is asked, and says once in the log what has become of them. */
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

/** What the clocks are apart at the least: the database has read its own somewhere between question and answer. */
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
  // A clock that wavers about a second is no news each time.
  const isApart = millis > (known === 'right' ? apartMillis : apartMillis / 2)
  return isApart ? 'apart' : 'right'
}

const remedy =
  'Let both machines take their time from the same source, by chrony or systemd-timesyncd.'

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

import type { LoggedEvent, Loss, RouterLog } from '../event-log/event-log.ts'
import type { EventRouter } from '../events/contract.ts'
import type { Gaps } from '../events/events.ts'
import type { FanOut } from './delivery/fan-out.ts'
import type { Stream } from './delivery/stream.ts'
import type { RouterPresence } from './presence/router-presence.ts'

/** If more than these are asked for, they are read from the log. */
export const mostInMemory = 10_000

interface Given {
  readonly router: EventRouter
  readonly fanOut: FanOut
  readonly streams: () => readonly Stream[]
  /** The router's history; undefined if it has none, or only one in memory. */
  readonly eventLog: RouterLog | undefined
  /** Undefined if no event of another instance can get lost. */
  readonly gaps: Pick<Gaps, 'subscribe'> | undefined
  readonly presence: Pick<RouterPresence, 'hear'> | undefined
}

type Leave = () => void

/**
 * Passes the emissions of a router's events to its fan-out. The function that it returns ends that.
 */
export async function feed(given: Given): Promise<Leave> {
  const { eventLog } = given
  const leaves = eventLog ? [await followLog(eventLog, given)] : subscribeAll(given)
  return () => {
    for (const leave of leaves) leave()
  }
}

function subscribeAll({ router, fanOut, gaps, presence }: Given): readonly Leave[] {
  const events = Object.entries(router.events).map(([name, event]) =>
    event.subscribe((payload: unknown) => fanOut.emit(name, payload)),
  )
  const followers = Object.entries(router['~presence']).map(([name, channel]) =>
    channel['~presence'].subscribe((change) => presence?.hear(name, change)),
  )
  const leaveGaps = gaps?.subscribe(() => fanOut.tellGap('interrupted'))
  return [...events, ...followers, ...(leaveGaps ? [leaveGaps] : [])]
}

/** Loads the end of the log into memory first: after a restart, all clients ask for it. */
async function followLog(log: RouterLog, { fanOut, streams }: Given): Promise<Leave> {
  const take = (events: readonly LoggedEvent[]) => {
    for (const event of events) if (event.position > fanOut.seq) fanOut.take(event)
  }
  let at = Math.max(0, log.position - mostInMemory)
  fanOut.beginAfter(at, log.epoch)
  while (at < log.position) {
    const events = await log.after(at)
    at = events?.at(-1)?.position ?? log.position
    if (events) take(events)
    else fanOut.beginAfter(at, log.epoch)
  }
  return log.follow({ took: take, lost: (loss) => goOn(loss, log, { fanOut, streams }) })
}

function goOn(
  loss: Loss,
  { epoch, position }: RouterLog,
  { fanOut, streams }: Pick<Given, 'fanOut' | 'streams'>,
) {
  fanOut.beginAfter(position - 1, epoch)
  if (loss === 'expired') return fanOut.tellGap(loss, position)
  // Positions may begin again, so a client that reconnects is told that it is another log.
  for (const stream of streams()) stream.end('aged')
}

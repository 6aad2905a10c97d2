import { numbered } from './numbered.ts'

type Payload = ReturnType<typeof numbered>

export type ServerOrder =
  | { kind: 'emit'; first: number; last: number }
  | { kind: 'cpuMicros' }
  | { kind: 'stop' }

interface Served {
  url: string
  emit: (payload: Payload) => unknown
  stop?: () => Promise<unknown>
}

/** Emissions of one moment, as in a busy application. */
const atOnce = 20

async function emitAll({ first, last }: { first: number; last: number }, emit: Served['emit']) {
  for (let n = first; n <= last; n += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, last + 1 - n) }, (_, at) => n + at)
    await Promise.all(some.map((each) => emit(numbered(each))))
    await new Promise(setImmediate)
  }
  return last
}

/** Obeys the bench as long as it lives. */
export function serveRecovery({ url, emit, stop = async () => {} }: Served) {
  async function obey(order: ServerOrder) {
    if (order.kind === 'emit') return emitAll(order, emit)
    if (order.kind === 'stop') return Number(await stop()) || 0
    const { user, system } = process.cpuUsage()
    return user + system
  }
  process.on('message', (order) => {
    // The message is of our own protocol.
    void obey(order as ServerOrder).then((answer) => process.send?.(answer))
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ url })
}

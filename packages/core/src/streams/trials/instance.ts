import { createMemoryCache } from '../../cache/memory.ts'
import { systemClock } from '../../clock/clock.ts'
import type { Database } from '../../database/server.ts'
import { type EventLog, openEventLog } from '../../event-log/event-log.ts'
import { createLogger } from '../../observation/logger.ts'
import { StreamAccess } from '../access/stream-access.ts'
import type { StreamGrant } from '../access/stream-tokens.ts'
import { Slices } from '../delivery/slices.ts'
import { OpenStreams } from '../open-streams.ts'
import { Places } from '../places.ts'
import { RouterStreams } from '../router-streams.ts'
import { authOf, events, router } from './rules.ts'

const log = createLogger({ level: 'silent' })

export interface Rights {
  mayHaveRuled(subject: string): boolean
  isRevoked(credential: string): boolean
}

/** The streams of an instance, on the shared database. A token is the name of its subject. */
export interface Instance {
  readonly log: EventLog
  readonly streams: RouterStreams
  readonly open: OpenStreams
  /** Like a process that ends at once: no client is told. */
  kill(): void
}

export async function startInstance(database: Database, rights: Rights): Promise<Instance> {
  const needs = { database, cache: createMemoryCache({ log }), log }
  const eventLog = await openEventLog({ events: { router, options: {} } }, needs)
  if (!eventLog) throw new Error('the router keeps a history')
  const open = new OpenStreams()
  const options = authOf((subject) => rights.mayHaveRuled(subject))
  const tokens = {
    issue: () => Promise.reject(new Error('clients make their own')),
    consume: async (token: string) => JSON.parse(token) as StreamGrant,
  }
  const credentials = {
    identify: () => null,
    standing: async (grants: readonly StreamGrant[]) =>
      grants.map(({ credential = '' }) => (rights.isRevoked(credential) ? null : 'live')),
  }
  const streams = new RouterStreams(router, {
    clock: systemClock,
    log,
    slices: new Slices(),
    open,
    epoch: 'process',
    access: new StreamAccess({ options, tokens, credentials, events }),
    auth: options,
    pingInterval: 20,
    maxAge: 3_600_000,
    maxNames: 100,
    eventLog: eventLog.of(router),
    gaps: undefined,
    places: new Places({}),
    presence: undefined,
  })
  await streams.open()
  return {
    log: eventLog,
    streams,
    open,
    kill() {
      void eventLog.close()
      void streams.close('left')
    },
  }
}

import type { StreamTokens } from '@svc/core'
import { defineEvent, t } from '@svc/core/contract'

export const tick = defineEvent('tick', t.Object({ at: t.String(), fill: t.String() }))

const { HISTORY, DATABASE_URL, SVC_PORT } = process.env

/** A history of a realistic size, if the bench needs one. */
export const keeping = HISTORY ? { history: { size: 10_000, ttl: 60_000 } } : {}

/**
 * One-time tokens `t0`, `t1`, …: getting them by ten thousand signed requests is not what is
 * measured here.
 */
const tokenManager: StreamTokens = {
  issue: async ({ subject }) => ({ token: `t${subject}` }),
  consume: async (token) => (/^t\d+$/.test(token) ? { subject: token.slice(1) } : null),
}

/** Every stream belongs to a user, and may have what it asks for. */
export const streamOptions = {
  // No peer sends pings within a measurement either.
  pingInterval: 60_000,
  // More than the default, because connections that have just closed may still be counted.
  maxConnections: 20_000,
  auth: {
    enabled: true,
    tokenManager,
    authorize: (_subject: string, events: string[]) => events,
  },
}

export const start = {
  port: Number(SVC_PORT ?? 0),
  env: {
    NODE_ENV: 'production',
    // No balancer has to notice the stop.
    SVC_SHUTDOWN_DELAY: '0s',
    SVC_HOST: '127.0.0.1',
    SVC_LOG_LEVEL: 'error',
    ...(DATABASE_URL && { DATABASE_URL, SVC_MIGRATE: 'apply' }),
  },
}

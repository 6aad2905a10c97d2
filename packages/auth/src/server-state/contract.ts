import { type OutputOf, route, t } from '@svc/core/contract'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'

/** The features that `readServerState` lists. */
export type FeatureName =
  | 'mail'
  | 'sms'
  | 'encryption'
  | 'agents'
  | 'support'
  | 'strict binding'
  | 'breached passwords'
  | 'limits'
  | 'send work'
  | 'cache'
  | 'replica'
  | 'metrics'
  | 'traces'

/** The names of the variables or options that turn it on. */
const setBy = t.Array(t.String())

const Feature = t.Object({ name: t.Unsafe<FeatureName>(t.String()), isOn: t.Boolean(), setBy })
/** A feature of the server: whether it is on, and the names of the variables that say so. */
export type Feature = OutputOf<typeof Feature>

const ProviderState = t.Object({
  id: t.String(),
  web: t.Boolean(),
  native: t.Boolean(),
  setBy,
  /** The variable that is missing, if the other one is set. */
  missing: t.Optional(t.String()),
})
/** A provider of sign-in, in browsers and in apps. */
export type ProviderState = OutputOf<typeof ProviderState>

/** The host and the process that answers. */
const Instance = t.Object({ name: t.String(), startedAt: t.String() })

const ServerState = t.Object({
  status: t.Unsafe<'ok' | 'degraded'>(t.String()),
  services: t.Array(
    t.Object({
      name: t.String(),
      state: t.Unsafe<'up' | 'down' | 'read_only' | 'behind'>(t.String()),
    }),
  ),
  clock: t.Optional(
    t.Object({
      state: t.Unsafe<'right' | 'apart' | 'off'>(t.String()),
      /** Of the database's. Negative if it is behind. */
      aheadMillis: t.Integer(),
    }),
  ),
  migrations: t.Optional(t.Object({ applied: t.Integer(), pending: t.Integer() })),
  versions: t.Object({
    /** Not known to a server that was bundled into other files. */
    svc: t.Optional(t.String()),
    node: t.String(),
    postgres: t.String(),
  }),
  instance: Instance,
  /** How many have answered, and how many were asked, if the cache knows it. */
  instances: t.Object({ answered: t.Integer(), asked: t.Optional(t.Integer()) }),
  features: t.Array(Feature),
  providers: t.Array(ProviderState),
})
/** A server as its operators see it. It has names of variables, and never a value. */
export type ServerState = OutputOf<typeof ServerState>

const LimitHitItem = t.Object({ limit: t.String(), count: t.Integer(), lastAt: t.String() })
/** How many requests a limit has refused. Its name is one such as `login by address`. */
export type LimitHitItem = OutputOf<typeof LimitHitItem>

/** How the server is, for those who run it. */
export const serverStateContract = defineContract('server-state', {
  at: '/_auth/admin',
  operations: {
    readServerState: allow.may(
      'server:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/server')
        .answer(ServerState)
        .errors(...limitRefusals)
        .describe({ summary: 'How the server is, and what is configured.' }),
    ),
    listLimitHits: allow.may(
      'server:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/limits')
        .answer(
          t.Object({
            /** False if `SVC_RATE_LIMIT` is off. */
            areOn: t.Boolean(),
            instance: Instance,
            /** Since when they are counted: the start of the process, and 24 hours at most. */
            since: t.String(),
            hits: t.Array(LimitHitItem),
          }),
        )
        .errors(...limitRefusals)
        .describe({ summary: 'How often each limit has refused, in the process that answers.' }),
    ),
  },
  limits: { 'server state by account': perMinute(60) },
})

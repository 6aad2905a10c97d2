import { type OutputOf, route, t } from '@svc/core/contract'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'

const FeatureName = t.Union([
  t.Literal('mail'),
  t.Literal('sms'),
  t.Literal('encryption'),
  t.Literal('cache'),
  t.Literal('replica'),
  t.Literal('limits'),
  t.Literal('strict binding'),
  t.Literal('breached passwords'),
  t.Literal('send work'),
  t.Literal('metrics'),
  t.Literal('traces'),
  t.Literal('agents'),
  t.Literal('support'),
])
export type FeatureName = OutputOf<typeof FeatureName>

const setBy = t.Array(t.String(), {
  description: 'The variables or options that turn it on, by their names.',
})

const Feature = t.Object({ name: FeatureName, isOn: t.Boolean(), setBy })
export type Feature = OutputOf<typeof Feature>

/** A provider of sign-in, in browsers and in apps. */
const ProviderState = t.Object({
  id: t.String(),
  web: t.Boolean(),
  native: t.Boolean(),
  setBy,
  missing: t.Optional(
    t.String({ description: 'The variable that is missing, where the other one is set.' }),
  ),
})
export type ProviderState = OutputOf<typeof ProviderState>

const Instance = t.Object({
  name: t.String({ description: 'The host and the process that answers.' }),
  startedAt: t.String(),
})

/** A server as its operators see it. It has names of variables, and never a value. */
export const ServerState = t.Object({
  status: t.Union([t.Literal('ok'), t.Literal('degraded')]),
  services: t.Array(
    t.Object({
      name: t.String(),
      state: t.Union([
        t.Literal('up'),
        t.Literal('down'),
        t.Literal('read_only'),
        t.Literal('behind'),
      ]),
    }),
  ),
  clock: t.Optional(
    t.Object({
      state: t.Union([t.Literal('right'), t.Literal('apart'), t.Literal('off')]),
      aheadMillis: t.Integer({ description: 'Of the database’s. Negative if it is behind.' }),
    }),
  ),
  migrations: t.Optional(t.Object({ applied: t.Integer(), pending: t.Integer() })),
  versions: t.Object({ node: t.String(), postgres: t.String() }),
  instance: Instance,
  instances: t.Object(
    { answered: t.Integer(), asked: t.Optional(t.Integer()) },
    { description: 'How many have answered, and how many were asked, if the cache knows it.' },
  ),
  features: t.Array(Feature),
  providers: t.Array(ProviderState),
})
export type ServerState = OutputOf<typeof ServerState>

const LimitHitItem = t.Object({
  limit: t.String({ description: 'Its name, such as `login by address`.' }),
  count: t.Integer({ description: 'How many requests it has refused.' }),
  lastAt: t.String(),
})
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
        .describe({ summary: 'How the server is, what it stands on, and what is configured.' }),
    ),
    listLimitHits: allow.may(
      'server:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/limits')
        .answer(
          t.Object({
            areOn: t.Boolean({ description: 'False where `SVC_RATE_LIMIT` is off.' }),
            instance: Instance,
            since: t.String({
              description: 'Since when they are counted: the start, and 24 hours at most.',
            }),
            hits: t.Array(LimitHitItem),
          }),
        )
        .errors(...limitRefusals)
        .describe({
          summary: 'How often each limit has refused a request, in the process that answers.',
        }),
    ),
  },
  limits: { 'server state by account': perMinute(60) },
})

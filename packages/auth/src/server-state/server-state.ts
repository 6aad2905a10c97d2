import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { type Infrastructure, readHealth } from '@svc/core'
import { sql } from 'drizzle-orm'
import type { HeldBy, Opening } from '../capability/capability.ts'
import { halfSetProviders } from '../providers/providers.ts'
import type { Feature, LimitHitItem, ServerState, serverStateContract } from './contract.ts'
import { featuresOf, providerStates, type TurnedOn } from './features.ts'

interface ServerStateOwn {
  readonly startedAt: Date
  readonly features: readonly Feature[]
  /** The variable that a provider lacks, by its id. */
  readonly missing: ReadonlyMap<string, string>
}

type ServerStateHeld = HeldBy<typeof serverStateContract, { own: ServerStateOwn }>

/** Variables are read once, as the server starts. */
export const openWith =
  (turnedOn: TurnedOn) =>
  ({ service, source }: Opening<object>): ServerStateOwn => ({
    startedAt: service.clock.now(),
    features: featuresOf({ ...service, source }, turnedOn),
    missing: halfSetProviders(source),
  })

type Needs<Part extends keyof ServerStateHeld> = Pick<ServerStateHeld, Part>

export async function readServerState(
  { db, startedAt, features, missing }: Needs<'db' | 'startedAt' | 'features' | 'missing'>,
  server: Infrastructure,
): Promise<ServerState> {
  const { services, ...health } = await readHealth(server)
  const { rows } = await db.execute<{ postgres: string }>(
    sql`select current_setting('server_version') as postgres`,
  )
  const { instances } = await server.streams.list({ limit: 1 })
  return {
    ...health,
    services: Object.entries(services).map(([name, state]) => ({ name, state })),
    versions: { ...ownVersion(), node: process.versions.node, postgres: rows[0]?.postgres ?? '' },
    instance: instanceSince(startedAt),
    instances,
    features: [...features],
    providers: providerStates(server, missing),
  }
}

/** All packages of Svc have one version. In a bundle, the file at this place is another one, or none. */
function ownVersion() {
  try {
    const { name, version } = createRequire(import.meta.url)('../../package.json')
    return name === '@svc/auth' ? { svc: version as string } : {}
  } catch {
    return {}
  }
}

// As much as a page has.
const mostHits = 100

export function listLimitHits(
  { env, startedAt }: Needs<'env' | 'startedAt'>,
  { limitHits }: Infrastructure,
) {
  const { since, hits } = limitHits.list()
  const most: LimitHitItem[] = hits.slice(0, mostHits)
  return {
    areOn: env.SVC_RATE_LIMIT,
    instance: instanceSince(startedAt),
    since,
    hits: most,
  }
}

const instanceSince = (startedAt: Date) => ({
  name: `${hostname()}/${process.pid}`,
  startedAt: startedAt.toISOString(),
})

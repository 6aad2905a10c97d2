import {
  type OrganizationAct as Entry,
  listOrganizationActs,
  readNames,
  type Standing,
} from '@svc/auth/server'
import type { Db } from '@svc/core'
import {
  isUuid,
  membersAmong,
  nameIn,
  type OrganizationHeld,
  organizationActs,
} from '../membership/membership.ts'

interface TrailQuery {
  act?: string | undefined
  actor?: string | undefined
  from?: string | undefined
  to?: string | undefined
  after?: string | undefined
  limit: number
}

export async function listTrail(
  auth: OrganizationHeld,
  { id: organizationId }: Standing,
  { act, actor, ...page }: TrailQuery,
) {
  const acts = seenActs(auth).filter((each) => act === undefined || each === act)
  // The trail has ids in small letters.
  const query = { ...page, organizationId, acts, actor: actor?.toLowerCase() }
  const { items, ...next } = await listOrganizationActs(auth.db, query)
  const nameOf = await namesIn(auth.db, organizationId, items)
  const named = items.map((item) => {
    const [actorName, targetName] = [nameOf(item.actor), nameOf(item.target)]
    return {
      ...withSeenDetails(item),
      ...(actorName && { actorName }),
      ...(targetName && { targetName }),
    }
  })
  return { items: named, ...next }
}

/** Other acts, such as those of sign-in, are written for operators. */
const seenActs = ({ trailActs }: OrganizationHeld): readonly string[] => [
  ...organizationActs,
  ...trailActs,
]

/** What members may read in acts of this package. An operator’s reason is none of it. */
const seenDetails = [
  'after',
  'before',
  'changed',
  'clientId',
  'clientName',
  'domain',
  'invitedBy',
  'keyId',
  'name',
  'permissions',
  'role',
  'roles',
  'source',
  'teamId',
] as const
/** The pages have words for each. */
export type SeenDetail = (typeof seenDetails)[number]
const isSeen: ReadonlySet<string> = new Set(seenDetails)

function withSeenDetails({ details, ...item }: Entry) {
  const isOwn = organizationActs.some((act) => act === item.act)
  const seen = Object.entries(details ?? {}).filter(([name]) => !isOwn || isSeen.has(name))
  return { ...item, ...(seen.length > 0 && { details: Object.fromEntries(seen) }) }
}

/** An account that has left keeps its name to itself. */
async function namesIn(db: Db, organizationId: string, items: readonly Entry[]) {
  const ids = items.flatMap(({ actor, target }) => [actor ?? '', target ?? '']).filter(isUuid)
  const here = await membersAmong(db, organizationId, [...new Set(ids)])
  const names = await readNames(db, here)
  return (userId: string | undefined) => nameIn(names, userId)
}

import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { LockedAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { FoundMade, Owner, Succession } from '../capability/capability.ts'
import type { LetIn } from '../capability/fields.ts'
import { deviceKeys } from './schema.ts'

interface Ending {
  /** Locked in this transaction: operations that let something in take the same lock. */
  account: LockedAccount
  /** The key that another device revokes. */
  keyId: string
  /**
   * The key of that device, which stays with all that it has let in itself. Null if the account has
   * no such key.
   */
  by: string | null
  /** Nothing ends. */
  keepMade: boolean
  /** Who ends it: its owner unless set. */
  actor?: string
  origin: RequestOrigin
  now: Date
}

/**
 * Ends what a key has let in, what these have let in, and so on: devices, programs and agents. Returns what has ended,
 * and the approvals that a device may still collect, which it leaves unchanged.
 */
export async function endMade(tx: Tx, auth: Needs<'parts'>, ending: Ending) {
  const gone = await madeBy(tx, auth, ending)
  const approvals = gone.map(({ item }) => item).filter(({ kind }) => kind === 'approval')
  if (ending.keepMade) return { ended: [], keyIds: [], approvals }
  const keys = gone.filter(isKey).map(({ item }) => item)
  const keyIds = await endKeys(tx, keys, ending)
  const others = await endOthers(tx, gone, ending)
  const hasEnded = (each: FoundMade) =>
    isKey(each) ? keyIds.includes(each.item.id) : others.includes(each)
  return { ended: gone.filter(hasEnded).map(({ item }) => item), keyIds, approvals }
}

/** Each capability ends what it has found. */
async function endOthers(tx: Tx, gone: FoundMade[], { account, actor, origin, now }: Ending) {
  const ended: FoundMade[] = []
  for (const [end, found] of Map.groupBy(gone, (each) => each.end)) {
    if (!end) continue
    const ids = found.map(({ item }) => item.id)
    const gives = await end(tx, {
      userId: account.userId,
      ids,
      ...(actor && { actor }),
      origin,
      now,
    })
    ended.push(...found.filter(({ item }) => gives.includes(item.id)))
  }
  return ended
}

async function madeBy(tx: Tx, auth: Needs<'parts'>, { account, keyId, by, now }: Ending) {
  const { userId, generation } = account
  const { made, makers } = await findMade(auth, tx, { userId, generation, now })
  const first = firstOnTheWay(makers, (each) => each === keyId || each === by)
  return made.filter((each) => first(each.maker) === keyId && !(isKey(each) && each.item.id === by))
}

const isKey = ({ item: { kind }, end }: FoundMade) =>
  !end && (kind === 'device' || kind === 'machine')

async function endKeys(tx: Tx, keys: LetIn[], { account, keyId, actor, origin, now }: Ending) {
  const { userId } = account
  const ids = keys.map(({ id }) => id)
  const ended = await endMadeKeys(tx, { userId, keyIds: ids, now })
  for (const target of ended) {
    const details = { madeBy: keyId }
    const entry = { actor: actor ?? userId, target, details, origin, at: now }
    await recordAudit(tx, { act: 'key.revoked', ...entry })
  }
  return ended
}

type Keys = Awaited<ReturnType<typeof madeKeysOf>>

/** All that the keys of an account have let in, each with the key that did it. */
export async function findMade({ parts }: Needs<'parts'>, db: Db, owner: Owner) {
  const keys = await madeKeysOf(db, owner.userId)
  const made = [...keys.map(ofKey), ...(await parts.made.find(db, owner))]
  const asked = new Set(made.flatMap(({ maker }) => maker ?? []))
  const links = await makersOf(db, owner.userId, [...asked])
  return { made, makers: new Map(links) }
}

function ofKey({ keyId: id, kind, state, madeByKeyId: maker, ...shown }: Keys[number]): FoundMade {
  return {
    // No key of the account has let a support key in.
    item: { kind: kind === 'machine' ? kind : 'device', id, ...namedItem(shown) },
    maker,
    isPending: state === 'pending',
    end: undefined,
  }
}

/**
 * Follows the chain of keys back from something: the key that let it in, the key that let that one
 * in, and so on. Returns the first of the given keys on the way, or null. Each key is looked at
 * once.
 */
export function firstOnTheWay(
  makers: ReadonlyMap<string, string>,
  isOne: (keyId: string) => boolean,
) {
  const known = new Map<string, string | null>()
  return (maker: string | null) => {
    const seen = new Set<string>()
    let at = maker
    // A cycle is possible: an expired device can be let in again by one that it had let in itself.
    while (at !== null && !seen.has(at) && !known.has(at) && !isOne(at)) {
      seen.add(at)
      at = makers.get(at) ?? null
    }
    const found = at === null || seen.has(at) ? null : known.has(at) ? (known.get(at) ?? null) : at
    for (const keyId of seen) known.set(keyId, found)
    return found
  }
}

/** The live keys of an account that another of its keys has let in. */
function madeKeysOf(db: Db, userId: string) {
  const { keyId, state, kind, deviceName, platform, madeByKeyId } = deviceKeys
  return db
    .select({ keyId, state, kind, deviceName, platform, madeByKeyId })
    .from(deviceKeys)
    .where(
      and(
        eq(deviceKeys.userId, userId),
        inArray(state, ['active', 'pending']),
        isNotNull(madeByKeyId),
      ),
    )
    .orderBy(deviceKeys.createdAt, keyId)
}

interface Link extends Record<string, unknown> {
  key_id: string
  made_by_key_id: string
}

/**
 * Which key let each of these in, which key let that one in, and so on. Ended keys count too:
 * otherwise an attacker could cut the chain by signing out in the middle. Each key is read once,
 * even if several chains contain it.
 */
async function makersOf(db: Db, userId: string, keyIds: readonly string[]) {
  if (keyIds.length === 0) return []
  const { rows } = await db.execute<Link>(sql`
    with recursive way as (
      select key_id, made_by_key_id from ${deviceKeys}
      where key_id in ${[...keyIds]} and user_id = ${userId}
      union
      select k.key_id, k.made_by_key_id from way
      join ${deviceKeys} k on k.key_id = way.made_by_key_id and k.user_id = ${userId}
    )
    select key_id, made_by_key_id from way where made_by_key_id is not null`)
  return rows.map((row) => [row.key_id, row.made_by_key_id] as const)
}

interface EndingKeys {
  userId: string
  keyIds: readonly string[]
  now: Date
}

/**
 * active → revoked, and pending → deleted. Returns the ids of the keys that were active. They get a
 * reason of their own: such a key has not ended itself, so its own sign-out must not report that it
 * has.
 */
async function endMadeKeys(tx: Tx, { userId, keyIds, now }: EndingKeys) {
  if (keyIds.length === 0) return []
  const ended = await tx
    .update(deviceKeys)
    .set({
      // The state on the right is the value before this statement.
      state: sql`case ${deviceKeys.state} when 'pending' then 'deleted' else 'revoked' end`,
      revokedAt: now,
      revokedReason: 'maker_revoked',
    })
    .where(
      and(
        eq(deviceKeys.userId, userId),
        inArray(deviceKeys.keyId, [...keyIds]),
        inArray(deviceKeys.state, ['active', 'pending']),
      ),
    )
    .returning({ keyId: deviceKeys.keyId, state: deviceKeys.state })
  return ended.filter(({ state }) => state === 'revoked').map(({ keyId }) => keyId)
}

/** Passes what a key has let in to its successor. */
export async function handOnKeys(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(deviceKeys)
    .set({ madeByKeyId: to })
    .where(and(eq(deviceKeys.userId, userId), eq(deviceKeys.madeByKeyId, from)))
}

interface Shown {
  deviceName: string | null
  platform: LetIn['platform'] | null
}

/** How a device is named in a list of what a key has let in. */
export function namedItem({ deviceName, platform }: Shown) {
  return {
    ...(deviceName !== null && { name: deviceName }),
    ...(platform !== null && platform !== undefined && { platform }),
  }
}

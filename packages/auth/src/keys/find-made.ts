import type { Db } from '@svc/core'
import type { LetIn } from '../capability/key-fields.ts'
import { approvalsOf } from '../device/approvals.ts'
import { madeGrantsOf } from '../oauth2/made-grants.ts'
import { madeKeysOf, makersOf } from './made-keys.ts'

interface Owner {
  userId: string
  generation: number
  now: Date
}

/** Something that lives, and that a key of the account has let in. */
interface Made {
  readonly item: LetIn
  /** That key, which may have ended. Null where no device key approved it. */
  readonly maker: string | null
  /** A key that waits for a second factor: it is not listed, and it ends with the others. */
  readonly isPending: boolean
}

type Keys = Awaited<ReturnType<typeof madeKeysOf>>
type Grants = Awaited<ReturnType<typeof madeGrantsOf>>
type Approvals = Awaited<ReturnType<typeof approvalsOf>>

/** All that the keys of an account have let in, with the key that let each in. */
export async function findMade(db: Db, owner: Owner) {
  const keys = await madeKeysOf(db, owner.userId)
  const grants = await madeGrantsOf(db, owner)
  const approvals = await approvalsOf(db, owner)
  const made = [...keys.map(ofKey), ...grants.map(ofGrant), ...approvals.map(ofApproval)]
  const asked = new Set(made.flatMap(({ maker }) => maker ?? []))
  const links = await makersOf(db, owner.userId, [...asked])
  return { made, makers: new Map(links) }
}

function ofKey({ keyId: id, kind, state, madeByKeyId: maker, ...shown }: Keys[number]): Made {
  return { item: { kind, id, ...named(shown) }, maker, isPending: state === 'pending' }
}

function ofGrant({ grantId: id, clientName: name, madeByKeyId: maker }: Grants[number]): Made {
  return { item: { kind: 'agent', id, name }, maker, isPending: false }
}

function ofApproval({ keyId: id, approvedByKeyId: maker, ...shown }: Approvals[number]): Made {
  const expiresAtMillis = shown.expiresAt.getTime()
  return {
    item: { kind: 'approval', id, ...named(shown), expiresAtMillis },
    maker,
    isPending: false,
  }
}

function named({ deviceName, platform }: Pick<Keys[number], 'deviceName' | 'platform'>) {
  return {
    ...(deviceName !== null && { name: deviceName }),
    ...(platform !== null && { platform }),
  }
}

/**
 * Follows the chain of keys from something back: the key that let it in, the key that let that one in, and so on.
 * Returns the first key that is one of those asked for, or null. Each key is looked at once.
 */
export function firstOnTheWay(
  makers: ReadonlyMap<string, string>,
  isOne: (keyId: string) => boolean,
) {
  const known = new Map<string, string | null>()
  return (maker: string | null) => {
    const seen = new Set<string>()
    let at = maker
    // A circle is possible: an expired device can be let in again by one that it had let in itself.
    while (at !== null && !seen.has(at) && !known.has(at) && !isOne(at)) {
      seen.add(at)
      at = makers.get(at) ?? null
    }
    const found = at === null || seen.has(at) ? null : known.has(at) ? (known.get(at) ?? null) : at
    for (const keyId of seen) known.set(keyId, found)
    return found
  }
}

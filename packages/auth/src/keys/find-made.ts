import type { Db } from '@svc/core'
import type { Needs } from '../auth.ts'
import type { Made, Owner } from '../capability/account-parts.ts'
import { madeKeysOf, makersOf } from './made-keys.ts'
import { namedItem } from './named-item.ts'

type Keys = Awaited<ReturnType<typeof madeKeysOf>>

/** All that the keys of an account have let in, with the key that let each in. */
export async function findMade({ parts }: Needs<'parts'>, db: Db, owner: Owner) {
  const keys = await madeKeysOf(db, owner.userId)
  const made = [...keys.map(ofKey), ...(await parts.made.find(db, owner))]
  const asked = new Set(made.flatMap(({ maker }) => maker ?? []))
  const links = await makersOf(db, owner.userId, [...asked])
  return { made, makers: new Map(links) }
}

function ofKey({ keyId: id, kind, state, madeByKeyId: maker, ...shown }: Keys[number]): Made {
  return { item: { kind, id, ...namedItem(shown) }, maker, isPending: state === 'pending' }
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

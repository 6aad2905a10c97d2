import { ServiceUnavailableError } from '@svc/core'

/** A claim to one hash, held from before anything is asked of the database until the hash is there. */
export interface HashPlace {
  /** Aborts when the place is given to somebody who has fewer. */
  readonly lost: AbortSignal
  /** From here on it is not given away. */
  begin(): void
  leave(): void
}

interface Holder {
  readonly from: string | null
  readonly loss: AbortController
  hasBegun: boolean
}

/** Whoever finds no place is refused with 503 before costing anything. Nobody's address is one like the others. */
export function createHashPlaces(limit: number) {
  const holders: Holder[] = []

  function take(from: string | null): HashPlace {
    if (holders.length >= limit && !makeRoom(holders, from)) throw new ServiceUnavailableError()
    const holder = { from, loss: new AbortController(), hasBegun: false }
    holders.push(holder)
    return {
      lost: holder.loss.signal,
      begin() {
        holder.hasBegun = true
      },
      leave: () => remove(holders, holder),
    }
  }

  return {
    take,
    get taken() {
      return holders.length
    },
  }
}

/** One address must not keep the others out: whoever has the most places gives up the latest for who has fewer. */
function makeRoom(holders: Holder[], from: string | null) {
  const counts = new Map<string | null, number>()
  for (const holder of holders) counts.set(holder.from, (counts.get(holder.from) ?? 0) + 1)
  const most = Math.max(...counts.values())
  if (most <= (counts.get(from) ?? 0) + 1) return false
  const latest = holders.findLast((holder) => !holder.hasBegun && counts.get(holder.from) === most)
  if (!latest) return false
  remove(holders, latest)
  latest.loss.abort()
  return true
}

function remove(holders: Holder[], holder: Holder) {
  const at = holders.indexOf(holder)
  if (at >= 0) holders.splice(at, 1)
}

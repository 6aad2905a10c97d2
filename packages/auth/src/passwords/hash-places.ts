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
  /** How many places each address has: counted as they come and go, since a flood asks for it with every request. */
  const counts = new Map<string | null, number>()
  const countOf = (from: string | null) => counts.get(from) ?? 0

  function take(from: string | null): HashPlace {
    if (holders.length >= limit && !makeRoom(from)) throw new ServiceUnavailableError()
    const holder = { from, loss: new AbortController(), hasBegun: false }
    holders.push(holder)
    counts.set(from, countOf(from) + 1)
    return {
      lost: holder.loss.signal,
      begin() {
        holder.hasBegun = true
      },
      leave: () => remove(holder),
    }
  }

  /** One address must not keep the others out: whoever has the most places gives up the latest for who has fewer. */
  function makeRoom(from: string | null) {
    const most = Math.max(...counts.values())
    if (most <= countOf(from) + 1) return false
    const latest = holders.findLast((holder) => !holder.hasBegun && countOf(holder.from) === most)
    if (!latest) return false
    remove(latest)
    latest.loss.abort()
    return true
  }

  function remove(holder: Holder) {
    const at = holders.indexOf(holder)
    if (at < 0) return
    holders.splice(at, 1)
    const left = countOf(holder.from) - 1
    if (left > 0) counts.set(holder.from, left)
    else counts.delete(holder.from)
  }

  return {
    take,
    get taken() {
      return holders.length
    },
  }
}

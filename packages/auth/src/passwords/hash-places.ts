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

  /** One address must not keep the others out: of those that wait, whoever has the most gives up the latest. */
  function makeRoom(from: string | null) {
    const latest = latestOfMost()
    if (!latest || countOf(latest.from) <= countOf(from) + 1) return false
    remove(latest)
    latest.loss.abort()
    return true
  }

  /** Of the addresses that have a place which has not begun, the one with the most places: its latest that has not. */
  function latestOfMost() {
    let most = 0
    let latest: Holder | null = null
    for (const holder of holders) {
      const count = holder.hasBegun ? 0 : countOf(holder.from)
      if (count === 0 || count < most) continue
      most = count
      latest = holder
    }
    return latest
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

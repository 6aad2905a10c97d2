import type { Log } from '../observation/observation.ts'

const said = {
  empty: 'the cache lost its contents: limits and counters began again from zero',
  older:
    'another server is the cache now, or it started from a snapshot: the latest entries may be missing, and limits and counters may have begun again from an older count',
}

/** What a cache contained when it was born: nothing, or the contents of a snapshot or a replica. */
export type BornWith = keyof typeof said

/** Logs that a cache was born again while this process used it. */
export function watchBirths(log: Pick<Log, 'warn'>) {
  let knownMillis: number | null = null
  return (bornAtMillis: number, bornWith: BornWith) => {
    if (knownMillis !== null && bornAtMillis > knownMillis) log.warn(said[bornWith])
    knownMillis = Math.max(knownMillis ?? 0, bornAtMillis)
  }
}

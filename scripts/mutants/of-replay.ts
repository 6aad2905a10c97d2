import type { Mutation } from './mutation.ts'

/** Spent ids, when clocks differ and caches lose their contents. */
export const ofReplay: Mutation[] = [
  {
    name: 'a spent id is forgotten as soon as its token expires',
    file: 'once/once.ts',
    find: 'keptLongerMillis = 15 * 60_000',
    replace: 'keptLongerMillis = 0',
    test: 'replay.test.ts',
    title: 'is not taken again by the one that is behind',
  },
  {
    name: 'an instance that is far ahead forgets for all',
    file: 'once/once.ts',
    find: 'const earlier = sql<Date>`least(${now.toISOString()}::timestamptz, clock_timestamp())`',
    replace: 'const earlier = now',
    test: 'replay.test.ts',
    title: 'is not forgotten for all by an instance',
  },
  {
    name: 'a cache is believed about what was before its birth',
    file: 'once/once.ts',
    find: "  if (outcome === 'unknown') throw signAgain()\n",
    replace: '',
    test: 'replay.test.ts',
    title: 'is never taken again, and is to be signed again',
  },
  {
    name: 'an id of a client that is ahead is kept in the cache alone',
    file: 'once/once.ts',
    find: 'isDoubted ? spendOnce(db, id, expiresAt) : true',
    replace: 'true',
    test: 'replay.test.ts',
    title: 'is known by the database where the clock',
  },
]

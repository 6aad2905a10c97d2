import type { Db, Tx } from '@svc/core'
import type {
  AccountParts,
  EveryoneParts,
  FoundMade,
  MadeEnd,
  Owner,
  RunningParts,
} from '../capability/capability.ts'

/** The parts of a capability, with what it holds. */
export interface Part {
  readonly account: AccountParts<never>
  readonly held: object
  /** Operations that sign in and tell the owner themselves. */
  readonly tells?: readonly string[]
  /** The purposes of its links, as in rows. */
  readonly linkPurposes?: readonly `${string}/${string}`[]
}

type Counts = Readonly<Record<string, number>>

function sum(all: readonly Counts[]) {
  const total: Record<string, number> = {}
  for (const [name, count] of all.flatMap((each) => Object.entries(each))) {
    total[name] = (total[name] ?? 0) + count
  }
  return total
}

/**
 * One after the other, in the order of the list: each may wait for a row that an earlier one has
 * locked.
 */
async function inTurn<Result>(
  parts: readonly Part[],
  run: (account: AccountParts<object>, held: object) => Promise<Result> | undefined,
) {
  const results: Result[] = []
  for (const { account, held } of parts) {
    // What it holds was opened for it.
    const result = run(account, held)
    if (result !== undefined) results.push(await result)
  }
  return results
}

/** Those that need nothing of a server. */
export function everyoneParts(parts: readonly Part[]): EveryoneParts {
  return {
    endUnderWay: async (db, now) => sum(await inTurn(parts, (each) => each.endUnderWay?.(db, now))),
    endEveryone: async (tx, ending) =>
      sum(await inTurn(parts, (each) => each.endEveryone?.(tx, ending))),
  }
}

/** An id is known to the capability that has found it: another one may have the same. */
async function findMade(
  { made }: AccountParts<object>,
  held: object,
  [db, owner]: [Db, Owner],
): Promise<FoundMade[]> {
  const found = (await made?.find(db, owner)) ?? []
  const end = made?.end && ((tx: Tx, ending: MadeEnd) => made.end?.(tx, ending, held) ?? none)
  return found.map((each) => ({ ...each, end }))
}

const none = Promise.resolve([])

/**
 * The parts of all capabilities as one. `list` is called each time, because they are opened after
 * this is made.
 */
export function runningParts(list: () => readonly Part[]): RunningParts {
  return {
    endUnderWay: (db, now) => everyoneParts(list()).endUnderWay(db, now),
    endEveryone: (tx, ending) => everyoneParts(list()).endEveryone(tx, ending),
    async forget(tx, account) {
      await inTurn(list(), (each, held) => each.forget?.(tx, account, held))
    },
    async dropDoubted(tx, doubted) {
      await inTurn(list(), (each, held) => each.dropDoubted?.(tx, doubted, held))
    },
    async sweep(db, now) {
      await inTurn(list(), (each, held) => each.sweep?.(db, now, held))
    },
    async refuseWaiting(tx, ended) {
      await inTurn(list(), (each) => each.refuseWaiting?.(tx, ended))
    },
    async secondFactorEnded(tx, userId) {
      await inTurn(list(), (each) => each.secondFactorEnded?.(tx, userId))
    },
    async beforeRegister(context, tx) {
      await inTurn(list(), async (each) => each.beforeRegister?.(context, tx))
    },
    async export(db, account) {
      const exported: Record<string, unknown> = {}
      for (const [name, read] of list().flatMap(({ account: { export: all = {} } }) =>
        Object.entries(all),
      )) {
        exported[name] = await read(db, account)
      }
      return exported
    },
    async waysIn(tx, account) {
      const ways = await inTurn(list(), (each, held) => each.waysIn?.(tx, account, held))
      return ways.reduce((total, count) => total + count, 0)
    },
    async linked(db, elsewhere) {
      const found = await inTurn(list(), (each) => each.linked?.(db, elsewhere))
      return found.find((userId) => userId !== null) ?? null
    },
    issuerOf(provider) {
      const found = list().map(({ account, held }) =>
        (account as AccountParts<object>).issuerOf?.(provider, held),
      )
      return found.find((issuer) => issuer !== undefined)
    },
    async secondFactors(db, userId) {
      const found = await inTurn(list(), (each) => each.secondFactors?.(db, userId))
      return found.flat()
    },
    isTold: (operation) => list().some(({ tells = [] }) => tells.includes(operation)),
    linkPurposes: () => list().flatMap(({ linkPurposes = [] }) => linkPurposes),
    grantees: {
      find: async (db, user) =>
        (await inTurn(list(), (each, held) => each.grantees?.find(db, user, held))).flat(),
      async take(tx, connection) {
        const taken = await inTurn(list(), (each, held) =>
          each.grantees?.take(tx, connection, held),
        )
        return taken.find((each) => each !== 'unknown') ?? 'unknown'
      },
    },
    made: {
      find: async (db, owner) =>
        (await inTurn(list(), (each, held) => findMade(each, held, [db, owner]))).flat(),
      async handOn(tx, succession) {
        await inTurn(list(), (each) => each.made?.handOn(tx, succession))
      },
    },
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import { directRequest, type PreparedRequest, type SigningKey } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { expect } from 'vitest'
import type { AuthContract } from '../../auth-contract.ts'
import { routeMap } from '../../route-map.generated.ts'
import { rounds, shareOfVariants } from '../../test-env.ts'
import {
  startTestAuth,
  type TestAnswer,
  type TestAuth,
  type TestAuthOptions,
} from '../../testing.ts'
import { shuffled } from '../shuffled.ts'
import { type HeldRequest, openConnections } from './connections.ts'
import { openLine } from './line.ts'
import { readyUsers } from './test-ready-users.ts'

// A round costs about 0.12 s of processor time, PostgreSQL's third of it included; most of that is the sixteen requests,
// little what prepares them. All rows at 500 rounds with their variants are some 19,000 rounds, which is to say twenty
// minutes of two cores that have nothing else to do, and at 10,000 rounds (`npm run test:long`) six or seven hours.

/** How many race at once. */
export const clients = 16

/** A client's request, made for the instance that it will go to. */
type Contestant = (at: TestServer) => PreparedRequest | Promise<PreparedRequest>

/**
 * Runs a race again and again; one violation fails the test. Where a row has several races, the one that is called
 * after it (`R6: …`) has all the rounds, and the others a part of them.
 */
export async function eachRound(run: (round: number) => Promise<void>) {
  const isRow = /\bR\d+: /.test(expect.getState().currentTestName ?? '')
  const share = isRow ? 1 : shareOfVariants
  const number = Math.max(isRow ? Math.min(rounds, 4) : 1, Math.round(rounds * share))
  for (let round = 0; round < number; round++) await run(round)
}

export const times = <Value>(number: number, make: (index: number) => Value) =>
  Array.from({ length: number }, (_, index) => make(index))

export const withStatus = (answers: readonly TestAnswer[], status: number) =>
  answers.filter((answer) => answer.status === status)

interface Path {
  params?: Record<string, string>
  headers?: Record<string, string>
}

export interface Race extends TestAuth {
  readonly instances: readonly [TestServer, TestServer]
  /** An operation as a contestant, signed where a key is given. */
  operation: (name: keyof AuthContract, body?: unknown, key?: SigningKey, more?: Path) => Contestant
  /** Releases all last bytes together. The answers are in the order of the contestants. */
  race: (
    contestants: readonly Contestant[],
    /** Other instances than those of all races. */
    at?: readonly [TestServer, TestServer],
  ) => Promise<TestAnswer[]>
  /**
   * Holds accounts until everybody has checked what they check before they ask for one. The first contestant is the
   * first in line, so whatever the others do with its account comes after.
   */
  raceBehind: (
    userIds: readonly string[],
    contestants: readonly Contestant[],
    /** What happens once all are in line. `behind` waits until so many are, where that takes something else first. */
    meanwhile?: (behind: (number: number) => Promise<void>) => void | Promise<void>,
  ) => Promise<TestAnswer[]>
  /** The ids of the keys that still sign, as the table has them and as the instances answer. */
  liveKeys: (
    userId: string,
    keys: readonly SigningKey[],
  ) => Promise<{ active: string[]; answering: string[] }>
}

/** Two instances on one database, and clients that reach them at the same moment. */
export async function startRace(options: TestAuthOptions = {}): Promise<Race> {
  const auth = await startTestAuth(options)
  const instances: Race['instances'] = [auth.server, await auth.secondInstance()]
  const connections = openConnections()
  const line = await openLine(auth.server)

  const prepared =
    (name: keyof AuthContract, input: object, key?: SigningKey): Contestant =>
    async (at) => {
      const request = directRequest(at.url, { ...routeMap[name], input })
      const signed = key ? await auth.signerOf(key)({ ...request, body: request.body ?? '' }) : {}
      return { ...request, headers: { ...request.headers, ...signed } }
    }
  const operation: Race['operation'] = (name, body, key, more) =>
    prepared(name, { ...more, body }, key)
  const call: Race['call'] = async (...given) => {
    const [name, body, key, { at = auth.server, ...input } = {}] = given
    return connections.send(await prepared(name, { ...input, body }, key)(at))
  }

  /** Every request is there but for its last byte, half of them at each instance. */
  const hold = (contestants: readonly Contestant[], at = instances) =>
    Promise.all(
      contestants.map(async (contestant, index) =>
        connections.hold(await contestant(at[index % 2 === 0 ? 0 : 1])),
      ),
    )

  const race: Race['race'] = async (contestants, at) => {
    const held = await hold(contestants, at)
    // What is known from the head of a request has been looked up by then, or has not.
    await wait(Math.random() * 10)
    for (const { release } of shuffled(held)) release()
    return answersOf(held)
  }

  const raceBehind: Race['raceBehind'] = async (userIds, contestants, meanwhile) => {
    const held = await hold(contestants)
    const [first, ...others] = held as [HeldRequest, ...HeldRequest[]]
    let answered = 0
    const count = () => answered++
    for (const { answer } of held) answer.then(count, count)
    await line.holding(userIds, async ({ whileFewerWait, whileMoreCome }) => {
      first.release()
      // It may hash a password before, on a machine that is busy.
      const behind = (number: number) => whileFewerWait(number, { tries: 800 })
      await behind(1)
      for (const { release } of shuffled(others)) release()
      // Who comes just when the first is let through may overtake it.
      if (meanwhile) await meanwhile(behind)
      else await whileMoreCome(() => contestants.length - answered)
    })
    return answersOf([first, ...others])
  }

  async function liveKeys(userId: string, keys: readonly SigningKey[]) {
    const rows = await auth.keysOf(userId)
    const active = rows.filter(({ state }) => state === 'active').map(({ keyId }) => keyId)
    const answers = await Promise.all(
      keys.map((key, index) =>
        call('getAuthSession', undefined, key, { at: instances[index % 2 === 0 ? 0 : 1] }),
      ),
    )
    const answering = keys.filter((_, index) => answers[index]?.status === 200)
    return { active: active.toSorted(), answering: answering.map(({ keyId }) => keyId).toSorted() }
  }

  const stop = async () => {
    connections.close()
    await line.close()
    await auth.stop()
  }
  const users = readyUsers(auth)
  return { ...auth, ...users, call, instances, operation, race, raceBehind, liveKeys, stop }
}

const answersOf = (held: readonly HeldRequest[]) => Promise.all(held.map(({ answer }) => answer))

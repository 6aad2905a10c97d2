import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { directRequest, type PreparedRequest, type SigningKey } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import type { AuthContract } from '../contract.ts'
import { routeMap } from '../route-map.generated.ts'
import { rounds } from '../test-env.ts'
import { startTestAuth, type TestAnswer, type TestAuth, type TestAuthOptions } from '../testing.ts'

/** How many race at once. */
export const clients = 16

/** A client's request, made for the instance that it will go to. */
type Contestant = (at: TestServer) => PreparedRequest | Promise<PreparedRequest>

/** Runs a race again and again; one violation fails the test. */
export async function eachRound(run: (round: number) => Promise<void>) {
  for (let round = 0; round < rounds; round++) await run(round)
}

export const times = <Value>(number: number, make: (index: number) => Value) =>
  Array.from({ length: number }, (_, index) => make(index))

export const withStatus = (answers: readonly TestAnswer[], status: number) =>
  answers.filter((answer) => answer.status === status)

export interface Race extends TestAuth {
  readonly instances: readonly [TestServer, TestServer]
  /** An operation as a contestant, signed where a key is given. */
  operation: (name: keyof AuthContract, body?: unknown, key?: SigningKey) => Contestant
  /** Releases all last bytes together. The answers are in the order of the contestants. */
  race: (contestants: readonly Contestant[]) => Promise<TestAnswer[]>
  /**
   * Holds accounts until everybody has checked what they check before they ask for one. The first contestant is the
   * first in line, so whatever the others do with its account comes after.
   */
  raceBehind: (
    userIds: readonly string[],
    contestants: readonly Contestant[],
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
  const instances = [auth.server, await auth.secondInstance()] as const
  const { db } = auth.auth

  const operation =
    (name: keyof AuthContract, body?: unknown, key?: SigningKey): Contestant =>
    async (at) => {
      const request = directRequest(at.url, { ...routeMap[name], input: { body } })
      const signed = key ? await auth.signerOf(key)({ ...request, body: request.body ?? '' }) : {}
      return { ...request, headers: { ...request.headers, ...signed } }
    }

  /** Every request is there but for its last byte, half of them at each instance. */
  const line = (contestants: readonly Contestant[]) =>
    Promise.all(
      contestants.map(async (contestant, index) =>
        sendAllButTheEnd(await contestant(instances[index % 2 === 0 ? 0 : 1])),
      ),
    )

  async function race(contestants: readonly Contestant[]) {
    const held = await line(contestants)
    // What is known from the head of a request has been looked up by then, or has not.
    await wait(Math.random() * 10)
    for (const { release } of shuffled(held)) release()
    return Promise.all(held.map(({ answer }) => answer))
  }

  async function raceBehind(userIds: readonly string[], contestants: readonly Contestant[]) {
    const [first, ...others] = await line(contestants)
    await db.transaction(async (tx) => {
      const held = sql`select from svc_auth.users where user_id in ${[...userIds]}`
      await tx.execute(sql`${held} for no key update`)
      first?.release()
      // It may hash a password before, on a machine that is busy.
      await whileFewerWait(1, { tries: 800 })
      for (const { release } of shuffled(others)) release()
      await whileFewerWait(contestants.length, { tries: 20 })
    })
    return Promise.all([first, ...others].map((held) => held?.answer as Promise<TestAnswer>))
  }

  /** Some never wait for a lock, so this has an end. */
  async function whileFewerWait(number: number, { tries }: { tries: number }) {
    for (let tried = 0; tried < tries; tried++) {
      const { rows } = await db.execute(sql`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      if (Number(rows[0]?.waiting) >= number) return
      await wait(5)
    }
  }

  async function liveKeys(userId: string, keys: readonly SigningKey[]) {
    const rows = await auth.keysOf(userId)
    const active = rows.filter(({ state }) => state === 'active').map(({ keyId }) => keyId)
    const answers = await Promise.all(
      keys.map((key, index) =>
        auth.call('getAuthSession', undefined, key, { at: instances[index % 2 === 0 ? 0 : 1] }),
      ),
    )
    const answering = keys.filter((_, index) => answers[index]?.status === 200)
    return { active: active.toSorted(), answering: answering.map(({ keyId }) => keyId).toSorted() }
  }

  return { ...auth, instances, operation, race, raceBehind, liveKeys }
}

async function sendAllButTheEnd({ method, url, headers, body = '' }: PreparedRequest) {
  const { host, hostname, port, pathname, search } = new URL(url)
  const head = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ]
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const answer = socket.toArray().then((chunks) => readAnswer(Buffer.concat(chunks).toString()))
  await once(socket, 'connect')
  socket.write(bytes.subarray(0, -1))
  return { answer, release: () => socket.write(bytes.subarray(-1)) }
}

/** The server closes the connection behind its answer, so the text is the whole of it. */
function readAnswer(text: string): TestAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((each) => each.split(/: (.*)/, 2) as [string, string]))
  const status = Number(statusLine.split(' ')[1])
  return { status, headers, body: body === '' ? undefined : JSON.parse(body) }
}

function shuffled<Value>(values: readonly Value[]) {
  return values
    .map((value) => ({ value, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ value }) => value)
}

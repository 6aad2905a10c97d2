import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { oneTimeTokens } from '../../one-time-token/schema.ts'
import type { TestAnswer, TestAuth, TestUser } from '../../testing.ts'

export interface LoadAnswer extends TestAnswer {
  readonly name: string
  readonly millis: number
}

const operations = ['getAuthSession', 'issueOneTimeToken', 'login', 'listKeys'] as const
type Operation = (typeof operations)[number]

/** One request of a client that is in its right: whatever refuses it is wrong. */
export async function ask(auth: TestAuth, user: TestUser, name: Operation): Promise<LoadAnswer> {
  const { email, password, key } = user
  const began = performance.now()
  const answer =
    name === 'login'
      ? await auth.call(name, { email, password, ...key.registration })
      : await auth.call(name, name === 'listKeys' ? {} : undefined, key)
  return { ...answer, name, millis: performance.now() - began }
}

/** Every operation once, by each of these clients. */
export const askAll = (auth: TestAuth, users: TestUser[]) =>
  Promise.all(users.flatMap((user) => operations.map((name) => ask(auth, user, name))))

/** Clients that go on asking until they are stopped. */
export function startLoad(auth: TestAuth, users: TestUser[]) {
  const answers: LoadAnswer[] = []
  const end = new AbortController()
  const clients = users.map(async (user, index) => {
    for (let turn = index; !end.signal.aborted; turn++) {
      answers.push(await ask(auth, user, operations[turn % operations.length] as Operation))
      await wait(5)
    }
  })
  return {
    answers,
    async stop() {
      end.abort()
      await Promise.all(clients)
      return answers
    },
  }
}

/** What an outage may look like: 503 within five seconds, and never a refusal for which a client drops its key. */
export function wrongInOutage(answers: readonly LoadAnswer[]) {
  return answers
    .filter(({ status, headers, millis }) => {
      const isFine = status === 200 || (status === 503 && headers.has('retry-after'))
      return !isFine || millis > 5000
    })
    .map(({ name, status, body, millis }) => ({ name, status, code: body?.error?.code, millis }))
}

/** What was said to be done is there. */
export async function expectKept(auth: TestAuth, answers: readonly LoadAnswer[]) {
  const acknowledged = answers.filter(
    ({ name, status }) => name === 'issueOneTimeToken' && status === 200,
  )
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(await auth.auth.db.$count(oneTimeTokens)).toBeGreaterThanOrEqual(acknowledged.length)
}

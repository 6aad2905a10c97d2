import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { attempts } from '../../limits/schema.ts'
import { createTestKey, startTestAuth, type TestAnswer, type TestAuth } from '../../testing.ts'
import { accountsInEachState } from './test-accounts.ts'
import { everyProbe } from './test-probes.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())
const { db } = auth.auth
beforeEach(() => db.delete(attempts))
const { registration } = await createTestKey()

const every = await accountsInEachState(auth, 1)
const accounts = Object.entries(every).map(([state, [email = '']]) => [state, email] as const)

const varying = new Set(['date', 'x-request-id', 'content-length'])

/** Status, body and headers in their order, less what no two answers have in common. */
function comparable({ status, body, headers }: TestAnswer) {
  const text = JSON.stringify(body).replace(/"requestId":"[^"]+"/, '"requestId":""')
  return { status, text, headers: [...headers].filter(([name]) => !varying.has(name)) }
}

/** What the operation answers for each account, as often as is asked. */
async function answersOf(ask: (email: string) => Promise<TestAnswer>, times: number) {
  const all: Record<string, unknown[]> = {}
  for (const [name, email] of accounts) {
    // Each account in the same second of the same window, from an address that has done nothing before.
    await db.delete(attempts)
    const answers = []
    for (let count = 0; count < times; count++) answers.push(comparable(await ask(email)))
    all[name] = answers
  }
  return all
}

function expectAlike(answers: Record<string, unknown[]>) {
  const [first] = Object.values(answers)
  for (const [name, each] of Object.entries(answers))
    expect({ [name]: each }).toEqual({ [name]: first })
}

const codeOf = (email: string, purpose: string) => ({
  target: email,
  targetType: 'email',
  purpose,
})

describe('bytes, headers and limits are the same for every account and none', () => {
  it('at a sign-in with a wrong password, up to the limit and beyond', async () => {
    const answers = await answersOf(
      (email) => auth.call('login', { email, password: 'not the password', ...registration }),
      12,
    )
    expectAlike(answers)
    expect(answers.suspended?.at(0)).toMatchObject({ status: 401 })
    expect(answers.suspended?.at(-1)).toMatchObject({ status: 429 })
  })

  it('at the restoring of an account with a wrong password, up to the limit and beyond', async () => {
    const answers = await answersOf(
      (email) => auth.call('cancelAccountDeletion', { email, password: 'not the password' }),
      12,
    )
    expectAlike(answers)
    expect(answers['pending deletion']?.at(0)).toMatchObject({ status: 401 })
    expect(answers['pending deletion']?.at(-1)).toMatchObject({ status: 429 })
  })

  it.each(['registration', 'login', 'password_reset', 'account_deletion'])(
    'when a code is sent for %s, up to the limit and beyond',
    async (purpose) => {
      const answers = await answersOf(
        (email) => auth.call('sendVerificationCode', codeOf(email, purpose)),
        7,
      )
      expectAlike(answers)
      expect(answers.suspended?.at(0)).toMatchObject({ status: 200 })
      expect(answers.suspended?.at(-1)).toMatchObject({ status: 429 })
    },
  )

  it.each(['requestSignupLink', 'requestPasswordReset'] as const)(
    'when a link is asked for with %s, up to the limit and beyond (A-114, A-125, A-171, A-175)',
    async (name) => {
      const answers = await answersOf((email) => auth.call(name, { email }), 7)
      expectAlike(answers)
      const expiresAt = new Date(auth.clock.now().getTime() + 30 * 60_000).toISOString()
      const first = JSON.stringify({ success: true, expiresAt })
      expect(answers.suspended?.at(0)).toMatchObject({ status: 200, text: first })
      expect(answers.suspended?.at(5)).toMatchObject({ status: 429 })
    },
  )

  it('when a wrong code is presented, until it is burnt and beyond', async () => {
    const answers = await answersOf(
      (email) => auth.call('verifyCode', { ...codeOf(email, 'login'), code: '12345x' }),
      12,
    )
    expectAlike(answers)
    expect(answers.suspended?.at(-1)).toMatchObject({ status: 429 })
  })

  it('when nothing proves the address of a registration', async () => {
    const body = { password: 'a password that is long', verificationToken: 'none', ...registration }
    expectAlike(await answersOf((email) => auth.call('register', { email, ...body }), 12))
  })

  it('when nothing proves the address of a sign-in', async () => {
    const body = { verificationToken: 'none', ...registration }
    expectAlike(await answersOf((email) => auth.call('login', { email, ...body }), 12))
  })
})

describe('bytes and headers are the same for every account and none', () => {
  // Nobody listens on a port that nobody may use without being root.
  const env = { SVC_RATE_LIMIT: 'off', SVC_MAIL_URL: 'smtp://127.0.0.1:1' }
  let down: TestAuth
  beforeAll(async () => {
    down = await startTestAuth({ env })
    await down.auth.db.execute(sql`alter table svc_jobs.job rename to gone`)
  })
  afterAll(() => down.stop())

  const sending = Object.entries(everyProbe).filter(([, { sends }]) => sends)
  it.each(sending)('while the mail provider and the queue are down: %s', async (_title, probe) => {
    const answers: Record<string, unknown[]> = {}
    for (const [state, [email = '']] of Object.entries(await accountsInEachState(down, 1))) {
      const answer = await down.call(probe.operation, probe.ask(email))
      answers[state] = [comparable(answer)]
      expect(answer.status).toBe(200)
    }
    expectAlike(answers)
  })
})

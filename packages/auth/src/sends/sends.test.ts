import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { knownBrowserHeader } from '../caller/contract.ts'
import { configureAuth, type SendContext } from '../configure-auth.ts'
import { createTestKey, startTestAuth, type TestAnswer, type TestAuth } from '../testing.ts'
import { SendRejectedError } from './errors.ts'

const env = { SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' }
const auth = await startTestAuth({ env: { ...env, SVC_SMS_PER_DAY: '50' } })
afterAll(() => auth.stop())

const tooMany = (retryAfter: number) => ({
  status: 429,
  body: { error: { code: 'TooManyRequestsError' }, retryAfter },
})
const day = 86_400

const code = (target: string) => ({
  target,
  targetType: target.includes('@') ? 'email' : 'phone',
  purpose: 'login',
})

let numbers = 0
const newNumber = () => `+1202555${String((numbers += 1)).padStart(4, '0')}`
let strangers = 0
/** From an address that has asked for nothing yet. */
const newStranger = () => `203.0.113.${(strangers += 1)}`

function send(target: string, { address = newStranger(), token = '', at = auth } = {}) {
  const headers = { 'x-forwarded-for': address, ...(token && { [knownBrowserHeader]: token }) }
  return at.call('sendVerificationCode', code(target), undefined, { headers })
}

/** One after the other, a minute apart where there are more than a minute takes. */
async function times(count: number, ask: () => Promise<TestAnswer>) {
  const statuses = []
  for (let at = 0; at < count; at += 1) statuses.push((await ask()).status)
  return statuses
}
const all = (count: number, status = 200) => Array.from({ length: count }, () => status)

async function knownToken({ email, password }: { email: string; password: string }) {
  const { registration } = await createTestKey()
  const { body } = await auth.call('login', { email, password, ...registration })
  return body.knownBrowser as string
}

describe('codes in a day', () => {
  it('are twenty for a target from all strangers, account or not, and its known browsers have their own (decisions 16)', async () => {
    const user = await auth.createUser()
    for (const target of [user.email, 'nobody-at-all@example.com']) {
      expect(await times(20, () => send(target))).toEqual(all(20))
      expect(await send(target)).toMatchObject(tooMany(day))
    }
    const token = await knownToken(user)
    expect((await send(user.email, { token })).status).toBe(200)
    auth.clock.advance('24h')
    expect((await send(user.email)).status).toBe(200)
  })

  it('of a known browser are twenty, too', async () => {
    const user = await auth.createUser()
    const token = await knownToken(user)
    for (let minute = 0; minute < 4; minute += 1) {
      expect(await times(5, () => send(user.email, { token }))).toEqual(all(5))
      auth.clock.advance('1m')
    }
    expect((await send(user.email, { token })).status).toBe(429)
    expect((await send(user.email)).status).toBe(200)
    // A browser that is known to one account is a stranger to another.
    const other = await auth.createUser()
    await times(20, () => send(other.email))
    expect((await send(other.email, { token })).status).toBe(429)
  })
})

describe('text messages', () => {
  it('are five an hour and ten a day for a number, from all strangers (decisions 16)', async () => {
    const number = newNumber()
    expect(await times(5, () => send(number))).toEqual(all(5))
    expect(await send(number)).toMatchObject(tooMany(3600))
    auth.clock.advance('1h')
    expect(await times(5, () => send(number))).toEqual(all(5))
    auth.clock.advance('1h')
    expect(await send(number)).toMatchObject(tooMany(day - 7200))
    auth.clock.advance('24h')
  })

  it('are bounded for the whole server, with a fifth reserved for known browsers', async () => {
    const email = 'texts@example.com'
    const phone = newNumber()
    const { registration } = await createTestKey()
    const verificationToken = await auth.verificationToken(phone, 'registration')
    const password = 'correct horse battery staple'
    const given = { phone, verificationToken, password, ...registration }
    const { body } = await auth.call('register', given)
    // One of the forty was the code to register with.
    expect(await times(39, () => send(newNumber()))).toEqual(all(39))
    expect((await send(newNumber())).status).toBe(429)
    expect((await send(email)).status).toBe(200)
    expect((await send(phone)).status).toBe(429)
    expect((await send(phone, { token: body.knownBrowser })).status).toBe(200)
    // What is left is nine: also for the text by which an owner takes a change of their number back.
    const root = await auth.signedInUser({ role: 'superadmin' })
    const { userId } = await auth.createUser()
    const changeNumber = async () => {
      const had = { phone: newNumber(), phoneVerifiedAt: auth.clock.now() }
      await auth.auth.db.update(users).set(had).where(eq(users.userId, userId))
      const changes = { phone: newNumber(), reason: 'a letter' }
      return auth.call('updateUser', changes, root.key, { params: { userId } })
    }
    expect(await times(9, changeNumber)).toEqual(all(9))
    expect((await changeNumber()).status).toBe(429)
    auth.clock.advance('24h')
  })

  it('go to the allowed countries alone, and the refusal depends on the number alone', async () => {
    const bounded = await startTestAuth({ env: { SVC_SMS_COUNTRIES: '82, +1202' } })
    const refusal = {
      status: 400,
      body: { error: { code: 'ValidationError' }, fields: [{ path: 'body.target' }] },
    }
    for (const number of ['+12125550123', '+447700900123', '+821']) {
      expect(await send(number, { at: bounded })).toMatchObject(refusal)
    }
    for (const number of ['+12025550123', '+82 10 1234 5678']) {
      expect((await send(number, { at: bounded })).status).toBe(200)
    }
    expect((await send('a@example.com', { at: bounded })).status).toBe(200)
    const text = { channel: 'sms', to: '+447700900123', template: 'verification-code' } as const
    const facts = { code: '123456', expiresInMinutes: 5, purpose: 'login' } as const
    await expect(bounded.auth.notifier.send({ ...text, facts })).rejects.toMatchObject({
      code: 'COUNTRY_NOT_ALLOWED',
    })
    await bounded.stop()
  })
})

describe('links', () => {
  it('are mailed to a target ten times a day for one address, and fifty times for all', async () => {
    const email = 'links@example.com'
    const ask = (name: 'requestSignupLink' | 'requestPasswordReset', address: string) =>
      auth.call(name, { email }, undefined, { headers: { 'x-forwarded-for': address } })
    const tenFrom = async (address: string) => {
      const statuses = []
      for (let at = 0; at < 10; at += 1) {
        const name = at % 2 === 0 ? 'requestSignupLink' : 'requestPasswordReset'
        statuses.push((await ask(name, address)).status)
        auth.clock.advance('20s')
      }
      return statuses
    }
    for (let at = 0; at < 5; at += 1) {
      const address = newStranger()
      expect(await tenFrom(address)).toEqual(all(10))
      expect((await ask('requestSignupLink', address)).status).toBe(429)
    }
    expect((await ask('requestPasswordReset', newStranger())).status).toBe(429)
    auth.clock.advance('24h')
    expect((await ask('requestPasswordReset', newStranger())).status).toBe(200)
  })
})

describe('beforeSend', () => {
  afterEach(() => configureAuth({ beforeSend: () => {} }))

  it('decides with the target, the purpose, the channel and the address in hand', async () => {
    const asked: SendContext[] = []
    configureAuth({ beforeSend: (context) => void asked.push(context) })
    const email = ' Hook@Example.com'
    const headers = { 'x-forwarded-for': '192.0.2.55', 'user-agent': 'a browser' }
    const body = { ...code(email), proof: 'what the captcha gave' }
    await auth.call('sendVerificationCode', body, undefined, { headers })
    await auth.call('requestSignupLink', { email }, undefined, { headers })
    await auth.call('requestPasswordReset', { email, proof: 'x' }, undefined, { headers })
    const shared = {
      channel: 'mail',
      target: 'hook@example.com',
      address: '192.0.2.55',
      userAgent: 'a browser',
      isKnown: false,
    }
    expect(asked).toEqual([
      { ...shared, purpose: 'login', proof: 'what the captcha gave' },
      { ...shared, purpose: 'signup_link' },
      { ...shared, purpose: 'password_reset_link', proof: 'x' },
    ])
  })

  it('knows a browser that the account of the target has signed in in', async () => {
    const asked: boolean[] = []
    configureAuth({ beforeSend: ({ isKnown }) => void asked.push(isKnown) })
    const user = await auth.createUser()
    const token = await knownToken(user)
    await send(user.email, { token })
    await send('someone-else@example.com', { token })
    expect(asked).toEqual([true, false])
  })

  it('refuses what it throws for, before anything is sent or counted, account or not', async () => {
    const { email } = await auth.createUser()
    configureAuth({
      beforeSend() {
        throw new SendRejectedError()
      },
    })
    for (const target of [email, 'no-such-one@example.com']) {
      const refusal = { status: 403, body: { error: { code: 'SendRejectedError' } } }
      for (let at = 0; at < 25; at += 1) expect(await send(target)).toMatchObject(refusal)
      expect(await auth.messagesTo(target)).toEqual([])
    }
    configureAuth({ beforeSend: () => {} })
    expect((await send(email)).status).toBe(200)
  })
})

describe('a proof of work', () => {
  let working: TestAuth
  beforeAll(async () => {
    working = await startTestAuth({ env: { SVC_AUTH_SEND_WORK_BITS: '8' } })
  })
  afterAll(() => working.stop())

  const ask = (target: string, work?: string) =>
    working.call('sendVerificationCode', { ...code(target), ...(work && { work }) })

  /** Does the work like a foreign client, which has only the two members of the refusal. */
  async function workFor({ body }: TestAnswer) {
    for (let number = 0; ; number += 1) {
      const work = `${body.challenge}.${number}`
      const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(work))
      if (new Uint8Array(hash)[0] === 0) return work
    }
  }

  const refusal = { status: 403, body: { error: { code: 'ProofOfWorkRequiredError' }, bits: 8 } }

  it('is asked for before a code or a link is sent, and pays for one', async () => {
    const asking = await ask('work@example.com')
    expect(asking).toMatchObject(refusal)
    expect(await working.call('requestSignupLink', { email: 'a@example.com' })).toMatchObject(
      refusal,
    )
    expect(await working.call('requestPasswordReset', { email: 'a@example.com' })).toMatchObject(
      refusal,
    )
    const work = await workFor(asking)
    expect((await ask('work@example.com', work)).status).toBe(200)
    expect(await ask('work@example.com', work)).toMatchObject(refusal)
  })

  it('pays for its own target and purpose, for five minutes, and cannot be forged', async () => {
    const work = await workFor(await ask('one@example.com'))
    expect(await ask('two@example.com', work)).toMatchObject(refusal)
    const link = { email: 'one@example.com', work }
    expect(await working.call('requestSignupLink', link)).toMatchObject(refusal)
    const [endsAt, , nonce, mac] = work.split('.')
    for (const forged of [`${endsAt}.0.${nonce}.${mac}.0`, '....', 'x', `${work}.0`]) {
      expect(await ask('one@example.com', forged)).toMatchObject(refusal)
    }
    working.clock.advance('5m')
    working.clock.advance('1s')
    expect(await ask('one@example.com', work)).toMatchObject(refusal)
  })

  it('of sixteen that bring the same at once, pays for one', async () => {
    const work = await workFor(await ask('race@example.com'))
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => ask('race@example.com', work)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is nothing that a known browser is asked for', async () => {
    const user = await working.createUser()
    const { registration } = await createTestKey()
    const { email, password } = user
    const { body } = await working.call('login', { email, password, ...registration })
    expect((await send(email, { token: body.knownBrowser, at: working })).status).toBe(200)
    expect((await send(email, { at: working })).status).toBe(403)
  })
})

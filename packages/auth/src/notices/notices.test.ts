import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { stepsOf } from '../links/testing/links.ts'
import { enrolledUser, waitingSignIn, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { createTestKey, startTestAuth, type TestAuth, testPassword } from '../testing.ts'
import { type Notice, type NoticeTemplate, sendNotice } from './notices.ts'

const auth = await startTestAuth({ env: withKeyring(), options: { templates: {} } })
const quiet = await startTestAuth({
  options: {
    templates: { 'new-device': null, 'password-changed': null },
    brand: { name: 'Tea & Co', logoUrl: 'https://example.com/logo.png' },
  },
})
afterAll(() => Promise.all([auth.stop(), quiet.stop()]))

const { call } = auth
const moment = '2030-01-01T00:00:00.000Z'
const page = 'https://app.example.com/account/security'
const another = 'another horse battery staple'

async function login(at: TestAuth, email: string, registration: object) {
  const answer = await at.call('login', { email, password: testPassword, ...registration })
  expect(answer.status).toBe(200)
}

const change = (at: TestAuth, key: Parameters<TestAuth['call']>[2]) =>
  at.call('changePassword', { currentPassword: testPassword, newPassword: another }, key)

type Row = { state: string; template: string; facts: Record<string, unknown> }

/** The notices that wait or were sent, as the queue has them. */
async function queued(at: TestAuth, userId: string) {
  const { rows } = await at.auth.db.execute<Row>(sql`
    select state, data->'input'->>'template' as template, data->'input'->'facts' as facts
    from svc_jobs.job
    where name = 'auth.notice' and data->'input'->>'userId' = ${userId} order by created_on`)
  return rows
}

const templatesOf = async (at: TestAuth, userId: string) =>
  (await queued(at, userId)).map(({ template }) => template)

const allSent = (at: TestAuth, userId: string) =>
  vi.waitFor(async () => {
    const states = (await queued(at, userId)).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['completed']))
  }, 10_000)

it('a mail of sign-in has the brand of the application, if it has one', async () => {
  const codeOf = async (at: TestAuth) => {
    const { email } = await at.createUser()
    const body = { target: email, targetType: 'email', purpose: 'login' }
    return at.sentBy(() => at.call('sendVerificationCode', body), email, 'verification-code')
  }
  const branded = await codeOf(quiet)
  expect(branded.html).toContain('<img src="https://example.com/logo.png" alt="Tea &amp; Co"')
  expect(branded.text).toMatch(/\n-- \nTea & Co\n$/)
  expect((await codeOf(auth)).text).not.toContain('-- ')
})

describe('signing in with a key that the account had not seen', () => {
  it('is told to its owner, with what the device says of itself as text', async () => {
    const { email } = await auth.createUser()
    const { registration } = await createTestKey()
    const deviceName = '<b>Ada’s</b> phone'
    const message = await auth.sentBy(
      () => login(auth, email, { ...registration, deviceName, platform: 'ios' }),
      email,
      'new-device',
    )
    expect(message).toMatchObject({
      channel: 'mail',
      subject: 'A new device signed in to your account',
      html: expect.not.stringContaining('<b>'),
    })
    for (const fact of [
      'phone',
      'iPhone or iPad',
      '127.0.0.1',
      registration.fingerprint.slice(0, 8),
    ])
      expect(message.text).toContain(fact)
  })

  it.each(['\u0000', 'a\u0000b', '\ud800', '\udc00\ud800', '\u202E', '\u001B[2J'])(
    'is sent for every name of a device: %j',
    async (deviceName) => {
      const { email, userId } = await auth.createUser()
      const { registration } = await createTestKey()
      const signIn = () => login(auth, email, { ...registration, deviceName })
      const message = await auth.sentBy(signIn, email, 'new-device')
      expect(message.text).toContain(registration.fingerprint.slice(0, 8))
      expect(message.text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
      const [{ facts } = {}] = await queued(auth, userId)
      const [key] = await auth.keysOf(userId)
      expect(facts?.deviceName ?? null).toBe(key?.deviceName)
      expect(auth.logged.filter(({ level }) => level === 'error')).toEqual([])
    },
  )

  it('is told once: not when the same key signs in again', async () => {
    const { email, userId } = await auth.createUser()
    const { registration } = await createTestKey()
    await login(auth, email, registration)
    await login(auth, email, registration)
    expect(await templatesOf(auth, userId)).toEqual(['new-device'])
  })

  it('is not told of a sign-in that was refused', async () => {
    const { email, userId } = await auth.createUser()
    const { key } = await auth.signedInUser()
    const taken = { email, password: testPassword, ...key.registration }
    expect((await auth.call('login', taken)).status).toBe(409)
    expect(await templatesOf(auth, userId)).toEqual([])
  })

  it('is not told to who registers, by a code or by a link', async () => {
    const email = 'newcomer@example.com'
    const verificationToken = await auth.verificationToken(email, 'registration')
    const { registration } = await createTestKey()
    const body = { email, verificationToken, password: testPassword, ...registration }
    const { userId } = (await auth.call('register', body)).body
    const { finish, secret } = stepsOf(auth, 'signup')
    const linked = (await finish(await secret('linked@example.com'))).body.userId
    expect([await templatesOf(auth, userId), await templatesOf(auth, linked)]).toEqual([[], []])
  })
})

describe('another password', () => {
  it('is told to the owner when it was changed, in the language of the account', async () => {
    const { email, userId, key } = await auth.signedInUser()
    await auth.auth.db.update(users).set({ locale: 'ko' }).where(eq(users.userId, userId))
    const message = await auth.sentBy(() => change(auth, key), email, 'password-changed')
    expect(message.subject).toBe('비밀번호가 변경되었습니다')
  })

  it('is told when it was reset, and the new device is not told besides', async () => {
    const { email, userId } = await auth.createUser()
    const { finish, secret } = stepsOf(auth, 'reset')
    const setupSecret = await secret(email)
    await auth.sentBy(() => finish(setupSecret), email, 'password-changed')
    expect(await templatesOf(auth, userId)).toEqual(['password-changed'])
  })

  it('is not told when the change was refused', async () => {
    const { userId, key } = await auth.signedInUser()
    const wrong = { currentPassword: 'not the password', newPassword: another }
    expect((await auth.call('changePassword', wrong, key)).status).toBe(401)
    expect(await templatesOf(auth, userId)).toEqual(['new-device'])
  })
})

describe('the second step', () => {
  it('that was wrong five times is told once, however many are given at once', async () => {
    const user = await enrolledUser(auth)
    const { challenge } = await waitingSignIn(auth, user)
    const code = user.wrongCode()
    const guess = () => call('mfaVerify', { challenge, code })
    for (let tries = 0; tries < 4; tries++) await guess()
    expect(await templatesOf(auth, user.userId)).not.toContain('second-factor-failed')
    const message = await auth.sentBy(
      () => Promise.all(Array.from({ length: 8 }, guess)),
      user.email,
      'second-factor-failed',
    )
    expect(message.text).toContain('127.0.0.1')
    const told = await templatesOf(auth, user.userId)
    expect(told.filter((template) => template === 'second-factor-failed')).toHaveLength(1)
  })

  it('has new recovery codes: the first are not told besides', async () => {
    const user = await enrolledUser(auth)
    expect(await templatesOf(auth, user.userId)).toEqual(['new-device', 'second-factor-added'])
    const message = await auth.sentBy(
      () => call('mfaRegenerateRecoveryCodes', {}, user.key),
      user.email,
      'recovery-codes-made',
    )
    expect(message.text).not.toMatch(/[a-z2-9]{5}-[a-z2-9]{5}\n/)
    expect((await templatesOf(auth, user.userId)).at(-1)).toBe('recovery-codes-made')
  })
})

// A template that is not named here does not compile.
const everyNotice: { [Name in NoticeTemplate]: (Notice & { template: Name })['facts'] } = {
  'new-device': {
    deviceName: 'd',
    platform: 'web',
    fingerprintPrefix: 'ab',
    at: moment,
    address: 'a',
  },
  'password-changed': { at: moment },
  'contact-added': { added: '+82', at: moment },
  'agent-connected': { clientName: 'c', host: 'h', scopes: 's', at: moment, url: page },
  'machine-key-added': {
    deviceName: 'd',
    fingerprintPrefix: 'ab',
    expiresAt: moment,
    at: moment,
    url: page,
  },
  'passkey-added': { label: 'l', at: moment, url: page },
  'passkey-removed': { label: 'l', at: moment, url: page },
  'social-linked': { provider: 'kakao', at: moment, url: page },
  'social-unlinked': { provider: 'kakao', at: moment, url: page },
  'second-factor-added': { method: 'totp', at: moment, url: page },
  'second-factor-removed': { at: moment, url: page },
  'second-factor-failed': { address: 'a', at: moment, url: page },
  'recovery-code-used': { remaining: 1, at: moment, url: page },
  'recovery-codes-made': { at: moment, url: page },
  'deletion-requested': { purgeAt: moment, url: page },
  'deletion-cancelled': { at: moment },
  'support-opened': { operator: 'o', reason: 'r', expiresAt: moment, at: moment, url: page },
  'support-ended': { at: moment, url: page },
}
// Facts that the service writes itself. All others are hostile below, also new ones.
const ours = ['at', 'purgeAt', 'expiresAt', 'url', 'provider', 'platform', 'fingerprintPrefix']
const hostileTexts: Record<string, string> = {
  NUL: 'Mark3r\u0000',
  'half of a pair': 'Mark3r\ud83d',
  'the other half': '\ude00Mark3r',
  'text turned around': 'Mark3r\u202E\u2066',
  'a header': 'Mark3r\r\nBcc: eve@example.com\r\n\r\n.\r\n',
  markup: '</td><script>Mark3r</script><a href="https://evil.example">',
  'ten kilobytes': 'Mark3r'.repeat(1700),
}

describe('a notice with hostile facts', () => {
  it.each(Object.keys(everyNotice) as NoticeTemplate[])('is sent: %s', async (template) => {
    const { userId, email } = await auth.createUser()
    for (const [kind, text] of Object.entries(hostileTexts)) {
      const hostile = Object.entries(everyNotice[template]).map(([name, value]) =>
        typeof value === 'string' && !ours.includes(name) && name !== 'method'
          ? [name, text]
          : [name, value],
      )
      const facts = { more: text, ...Object.fromEntries(hostile) }
      const notice = { userId, template, facts } as never
      auth.logged.length = 0
      const tell = () => auth.auth.db.transaction((tx) => sendNotice(tx, auth.auth, notice))
      const message = await auth.sentBy(tell, email, template)
      const html = String(Reflect.get(message, 'html'))
      const parts = [message.subject, message.text, html].join('\n')
      expect(parts.isWellFormed(), kind).toBe(true)
      expect(parts, kind).not.toMatch(/[\0\r\u202E\u2066]|https:\/\/evil|^Bcc/m)
      expect(html, kind).not.toContain('<script')
      // Text that the queue can't hold is left out, and the log says so.
      const isKept = !['NUL', 'half of a pair', 'the other half'].includes(kind)
      const said = auth.logged.filter(({ msg }) => msg === 'a notice is sent without its details')
      expect(said.map((line) => line.template)).toEqual(isKept ? [] : [template])
      const isShown = isKept && hostile.some(([, value]) => value === text)
      expect(message.text.includes('Mark3r'), kind).toBe(isShown)
    }
  })
})

describe('a notice', () => {
  it('goes to no address that was not proved', async () => {
    const { email, userId } = await auth.createUser()
    await auth.auth.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.userId, userId))
    await login(auth, email, (await createTestKey()).registration)
    await allSent(auth, userId)
    expect(await auth.messagesTo(email)).toEqual([])
  })

  it('is not even queued where the application turned its template off', async () => {
    const { userId, key } = await quiet.signedInUser()
    expect((await change(quiet, key)).status).toBe(204)
    expect(await templatesOf(quiet, userId)).toEqual([])
  })
})

describe('while the queue is down', () => {
  it('users can sign in and change a password, and the log says what was lost', async () => {
    const user = await auth.signedInUser()
    await auth.auth.db.execute(sql`alter schema svc_jobs rename to svc_jobs_gone`)
    try {
      await login(auth, user.email, (await createTestKey()).registration)
      expect((await change(auth, user.key)).status).toBe(204)
    } finally {
      await auth.auth.db.execute(sql`alter schema svc_jobs_gone rename to svc_jobs`)
    }
    const lost = auth.logged.filter(({ msg }) => msg === 'a notice could not be queued')
    expect(lost.map(({ template }) => template)).toEqual(['new-device', 'password-changed'])
  })
})

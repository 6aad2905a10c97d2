import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { knownBrowserHeader } from '../caller/contract.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { codeIn } from './read-message.ts'
import { verificationCodes } from './schema.ts'
import { forgetCodes } from './store.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

let people = 0
const newAddress = () => `person-${(people += 1)}@example.com`
const asked = (target: string, purpose = 'login', targetType = 'email') => ({
  target,
  targetType,
  purpose,
})
const send = (target: string, purpose?: string) =>
  auth.call('sendVerificationCode', asked(target, purpose))
const verify = (target: string, code: string, purpose?: string) =>
  auth.call('verifyCode', { ...asked(target, purpose), code })
const wrongFor = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')
const triesOf = async (target: string) => {
  const rows = auth.auth.db.select().from(verificationCodes)
  return (await rows.where(eq(verificationCodes.target, target))).map(({ tries }) => tries)
}
/** Five wrong tries at a fresh code: it is burnt by them. */
async function guessAll(target: string, purpose: Parameters<typeof auth.requestCode>[1]) {
  const code = await auth.requestCode(target, purpose)
  for (const by of [1, 2, 3, 4, 5]) await verify(target, wrongFor(code, by), purpose)
}
const wrong = { status: 400, body: { error: { code: 'InvalidVerificationCodeError' } } }

/** What an answer says, but for what every answer has of its own. */
function said({ status, body, headers }: Awaited<ReturnType<typeof send>>) {
  const text = JSON.stringify(body).replace(/"requestId":"[^"]+"/, '')
  const own = new Set(['date', 'x-request-id', 'content-length'])
  return { status, text, headers: [...headers].filter(([name]) => !own.has(name)) }
}

describe('sendVerificationCode', () => {
  it('sends six digits to an address, and answers when they expire (A-139, A-141)', async () => {
    const address = newAddress()
    const answer = await auth.fetch('/_auth/codes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked(address)),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const expiresAt = new Date(auth.clock.now().getTime() + 300_000).toISOString()
    expect(await answer.json()).toEqual({ success: true, expiresAt })
    await vi.waitFor(async () => expect(await auth.messagesTo(address)).toHaveLength(1))
    const [message] = await auth.messagesTo(address)
    expect(message).toMatchObject({ channel: 'mail', template: 'verification-code' })
    expect(message?.text.match(/\d{6}/g)).toHaveLength(1)
  })

  it('sends a text message to a number', async () => {
    const code = await auth.requestCode('+1 202 555 0123')
    expect(code).toMatch(/^\d{6}$/)
    expect(await auth.messagesTo('+12025550123')).toMatchObject([{ channel: 'sms' }])
  })

  it('writes in the language that the browser asks for', async () => {
    const address = newAddress()
    await auth.call('sendVerificationCode', asked(address), undefined, {
      headers: { 'accept-language': 'ko-KR,en;q=0.5' },
    })
    await vi.waitFor(async () => {
      expect(await auth.messagesTo(address)).toMatchObject([
        { subject: expect.stringContaining('인증') },
      ])
    })
  })

  it('writes in the language of the account where there is one, even if the browser asks for another', async () => {
    const { email, userId } = await auth.createUser()
    const row = eq(users.userId, userId)
    await auth.auth.db.update(users).set({ locale: 'ko', phone: '+12025550177' }).where(row)
    const nobody = newAddress()
    const headers = { 'accept-language': 'en-GB,fr;q=0.5' }
    const sendInEnglish = (target: string, type?: string) =>
      auth.call('sendVerificationCode', asked(target, 'login', type), undefined, { headers })
    await sendInEnglish(email)
    await sendInEnglish('+12025550177', 'phone')
    await sendInEnglish(nobody)
    const firstTo = async (target: string) => (await auth.messagesTo(target))[0]?.text
    await vi.waitFor(async () => {
      expect(await firstTo(email)).toContain('로그인 인증 코드')
      expect(await firstTo('+12025550177')).toContain('인증 코드')
      expect(await firstTo(nobody)).toContain('Your sign-in code')
    })
  })

  it('sends and answers the same whether or not there is an account, for every purpose', async () => {
    const { email } = await auth.createUser()
    const nobody = newAddress()
    const purposes = ['registration', 'login', 'password_reset', 'email_change', 'account_deletion']
    for (const purpose of purposes) {
      expect(said(await send(email, purpose))).toEqual(said(await send(nobody, purpose)))
    }
    await vi.waitFor(async () => {
      expect(await auth.messagesTo(email)).toHaveLength(purposes.length)
      expect(await auth.messagesTo(nobody)).toHaveLength(purposes.length)
    })
  })

  it('keeps a keyed hash only, and forgets it once it has expired', async () => {
    const { db } = auth.auth
    const address = newAddress()
    const code = await auth.requestCode(address)
    const kept = JSON.stringify(await db.select().from(verificationCodes))
    expect(kept).not.toContain(code)
    for (const encoding of ['hex', 'base64url', 'base64'] as const) {
      expect(kept).not.toContain(createHash('sha256').update(code).digest(encoding))
    }
    await forgetCodes(db, auth.clock.now())
    expect(await triesOf(address)).toHaveLength(1)
    auth.clock.advance('5m')
    await forgetCodes(db, auth.clock.now())
    expect(await triesOf(address)).toHaveLength(0)
  })

  it('refuses what is not one address or number', async () => {
    const lists = ['a@example.com,b@example.com', 'a@example.com\r\nBcc: b@example.com', 'a']
    for (const target of lists) {
      expect(await send(target)).toMatchObject({
        status: 400,
        body: { error: { code: 'ValidationError' }, fields: [{ path: 'body.target' }] },
      })
    }
    expect(await send('a@example.com', 'something')).toMatchObject({ status: 400 })
  })

  it('answers the same, without a wait, while no message can leave', async () => {
    const down = await startTestAuth({ env: { SVC_MAIL_URL: 'smtp://127.0.0.1:1' } })
    down.clock.set(auth.clock.now())
    const here = await send(newAddress())
    const there = await down.call('sendVerificationCode', asked('nobody-waits@example.com'))
    expect(said(there)).toEqual(said(here))
    const lines = () => down.logged.filter(({ msg }) => msg === 'a code was not delivered')
    await vi.waitFor(() => expect(lines()).toHaveLength(1))
    expect(JSON.stringify(down.logged)).not.toMatch(/nobody-waits|\b\d{6}\b(?=")/)
    await down.stop()
  })
})

describe('verifyCode', () => {
  it('exchanges the code for a token that is good for 15 minutes (A-047, A-140, A-141)', async () => {
    const address = newAddress()
    const code = await auth.requestCode(address.toUpperCase())
    const answer = await auth.fetch('/_auth/codes/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked(address), code: ` ${code.slice(0, 3)} ${code.slice(3)}` }),
    })
    expect(answer.status).toBe(200)
    const { verificationToken, expiresAt } = (await answer.json()) as Record<string, string>
    expect(verificationToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    const left = Date.parse(expiresAt as string) - auth.clock.now().getTime()
    expect(left).toBeGreaterThan(899_000)
    expect(left).toBeLessThanOrEqual(900_000)
  })

  it('refuses a code for another purpose, address or kind of target', async () => {
    const address = newAddress()
    const code = await auth.requestCode(address, 'registration')
    const other = newAddress()
    await auth.requestCode(other, 'registration')
    expect(await verify(address, code, 'login')).toMatchObject(wrong)
    expect(await verify(other, code, 'registration')).toMatchObject(wrong)
    expect(await verify(address, code, 'registration')).toMatchObject({ status: 200 })
  })

  it('refuses a code from the moment it expires, after five minutes (A-143)', async () => {
    const [early, late] = [newAddress(), newAddress()]
    const [inTime, tooLate] = [await auth.requestCode(early), await auth.requestCode(late)]
    auth.clock.advance(299_999)
    expect(await verify(early, inTime)).toMatchObject({ status: 200 })
    auth.clock.advance(1)
    expect(await verify(late, tooLate)).toMatchObject(wrong)
  })

  it('burns a code by five wrong tries (A-047, A-143)', async () => {
    const address = newAddress()
    const code = await auth.requestCode(address)
    for (const by of [1, 2, 3, 4]) await verify(address, wrongFor(code, by))
    const fifth = await verify(address, wrongFor(code, 5))
    const burnt = await verify(address, code)
    expect(burnt).toMatchObject(wrong)
    // A right code that came too late looks the same as a wrong one, or as none.
    expect(said(burnt)).toEqual(said(fifth))
    expect(said(burnt)).toEqual(said(await verify(newAddress(), code)))
  })

  it('accepts the right code as the fifth try', async () => {
    const address = newAddress()
    const code = await auth.requestCode(address)
    for (const by of [1, 2, 3, 4]) await verify(address, wrongFor(code, by))
    expect(await verify(address, code)).toMatchObject({ status: 200 })
  })

  it('evaluates five of two hundred guesses that come at once', async () => {
    const address = newAddress()
    const code = await auth.requestCode(address)
    const guesses = Array.from({ length: 200 }, (_, at) => verify(address, wrongFor(code, at + 1)))
    for (const answer of await Promise.all(guesses)) expect(answer).toMatchObject(wrong)
    expect(await triesOf(address)).toEqual([5])
    expect(await verify(address, code)).toMatchObject(wrong)
  })

  it('accepts one of sixteen right codes that come at once to two instances', async () => {
    const address = newAddress()
    const code = await auth.requestCode(address)
    const second = await auth.secondInstance()
    second.clock.set(auth.clock.now())
    const instances = [auth.server, second]
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        auth.call('verifyCode', { ...asked(address), code }, undefined, {
          at: instances[at % 2] as typeof second,
        }),
      ),
    )
    const byStatus = Map.groupBy(answers, ({ status }) => status)
    expect(byStatus.get(200)).toHaveLength(1)
    expect(byStatus.get(400)).toHaveLength(15)
  })

  it('knows the newest code only', async () => {
    const address = newAddress()
    const old = await auth.requestCode(address)
    await verify(address, wrongFor(old))
    const code = await auth.requestCode(address)
    expect(await triesOf(address)).toEqual([0])
    if (old !== code) expect(await verify(address, old)).toMatchObject(wrong)
    expect(await verify(address, code)).toMatchObject({ status: 200 })
    expect(await verify(address, code)).toMatchObject(wrong)
  })

  it('takes forty wrong tries a day at the codes of a target, for all purposes together (decisions 16)', async () => {
    const { email } = await auth.createUser()
    for (const purpose of ['login', 'password_reset', 'login', 'account_deletion'] as const) {
      await guessAll(email, purpose)
    }
    // Twenty are used up. Tries at codes of other purposes leave the code to sign in with.
    const code = await auth.requestCode(email)
    expect(await verify(email, code)).toMatchObject({ status: 200 })
    for (let at = 0; at < 4; at += 1) await guessAll(email, 'registration')
    const late = await auth.requestCode(email)
    expect(await verify(email, late)).toMatchObject({
      status: 429,
      body: { error: { code: 'TooManyRequestsError' }, retryAfter: 86_400 },
    })
    auth.clock.advance('24h')
    const next = await auth.requestCode(email)
    expect(await verify(email, next)).toMatchObject({ status: 200 })
  })

  it('counts a try when no code is waiting only for the address that tries', async () => {
    const { email } = await auth.createUser()
    for (let at = 0; at < 60; at += 1) expect(await verify(email, '000000')).toMatchObject(wrong)
    const code = await auth.requestCode(email)
    expect(await verify(email, code)).toMatchObject({ status: 200 })
  })

  it('holds no right code against an account', async () => {
    const address = newAddress()
    for (let at = 0; at < 22; at += 1) {
      const code = await auth.requestCode(address)
      expect(await verify(address, code)).toMatchObject({ status: 200 })
    }
  })
})

describe('with limits', () => {
  it('answers 429 to the sixth code for a target within a minute, account or not (A-373)', async () => {
    const limited = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
    const { email } = await limited.createUser()
    const sendTo = async (target: string) => {
      const answers = []
      for (let at = 0; at < 6; at += 1) {
        answers.push(said(await limited.call('sendVerificationCode', asked(target))))
      }
      return answers
    }
    const answers = await sendTo(email)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers).toEqual(await sendTo('nobody@example.com'))
    await limited.stop()
  })

  it('answers 429 to the eleventh try at a target from one address within a minute (A-373)', async () => {
    const limited = await startTestAuth({
      env: { SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' },
    })
    const target = 'ada@example.com'
    const tries = Array.from({ length: 30 }, () =>
      limited.call('verifyCode', { ...asked(target), code: '000000' }),
    )
    const answers = await Promise.all(tries)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    const code = await limited.requestCode(target)
    const headers = { 'x-forwarded-for': '192.0.2.7' }
    const elsewhere = await limited.call('verifyCode', { ...asked(target), code }, undefined, {
      headers,
    })
    expect(elsewhere.status).toBe(200)
    await limited.stop()
  })
})

describe('the codes of a known browser', () => {
  it('differ from those of strangers, who can neither replace them nor use up their tries (decisions 16)', async () => {
    const { email, password } = await auth.createUser()
    const { registration } = await createTestKey()
    const { body } = await auth.call('login', { email, password, ...registration })
    const headers = { [knownBrowserHeader]: body.knownBrowser as string }
    const asOwner = { headers }
    const ask = () => auth.call('sendVerificationCode', asked(email), undefined, asOwner)
    const code = codeIn(await auth.sentBy(ask, email, 'verification-code'))
    // The same code, requested by a stranger.
    await send(email)
    for (let at = 0; at < 9; at += 1) await guessAll(email, 'login')
    expect(await verify(email, code)).toMatchObject({ status: 429 })
    const answer = await auth.call('verifyCode', { ...asked(email), code }, undefined, asOwner)
    expect(answer.status).toBe(200)
  })

  it('take ten wrong tries a day, so that with those of strangers there are fifty', async () => {
    const { email, password } = await auth.createUser()
    const { registration } = await createTestKey()
    const { body } = await auth.call('login', { email, password, ...registration })
    const given = { headers: { [knownBrowserHeader]: body.knownBrowser as string } }
    const guessAtIt = async () => {
      const ask = () => auth.call('sendVerificationCode', asked(email), undefined, given)
      const code = codeIn(await auth.sentBy(ask, email, 'verification-code'))
      const tried = []
      for (const by of [1, 2, 3, 4, 5]) {
        const guess = { ...asked(email), code: wrongFor(code, by) }
        tried.push((await auth.call('verifyCode', guess, undefined, given)).status)
      }
      return tried
    }
    const wrongs = Array.from({ length: 5 }, () => 400)
    expect(await guessAtIt()).toEqual(wrongs)
    expect(await guessAtIt()).toEqual(wrongs)
    expect(await guessAtIt()).toEqual(wrongs.map(() => 429))
  })
})

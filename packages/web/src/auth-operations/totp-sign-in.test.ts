import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { startTestWeb, type TestBrowser } from '../test-browser.ts'

const ringKey = randomBytes(32).toString('base64')
const web = await startTestWeb({ env: { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `test:${ringKey}` } })
afterAll(web.api.stop)
beforeEach(() => web.api.clock.set(new Date()))
afterEach(() => web.api.clock.set(new Date()))

/** The code that an authenticator app shows (RFC 6238), of a step that no code was of before. */
function nextCode(secret: string) {
  web.api.clock.advance('30s')
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(web.api.clock.now().getTime() / 30_000)))
  const mac = createHmac('sha1', fromBase32(secret)).update(step).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (each) => alphabet.indexOf(each).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const json = async (page: TestBrowser, name: string, body?: unknown) =>
  (await page.call(name, body)).json()

/** A user with an authenticator app, who signs in in another browser. */
async function half() {
  const user = await web.api.createUser()
  const first = web.browser()
  await first.call('login', user)
  const { secret } = await json(first, 'mfaTotpEnroll', {})
  const { recoveryCodes } = await json(first, 'mfaTotpConfirm', { code: nextCode(secret) })
  const page = web.browser()
  const answer = await page.call('login', user)
  expect([answer.status, [...page.cookies.keys()]]).toEqual([202, ['svc_mfa_pending']])
  return { user, secret, recoveryCodes, page, answer }
}

it('an account with an authenticator app is signed in by a code of it', async () => {
  const { user, secret, page, answer } = await half()
  expect(Object.keys((await answer.json()).challenge)).toEqual(['expiresAtMillis'])
  expect((await page.call('mfaVerifyOptions', {})).status).toBe(400)
  expect((await page.call('mfaVerify', { code: nextCode(secret) })).status).toBe(200)
  // The web app signs by the time that it is, a minute before that of the second code.
  web.api.clock.set(new Date())
  expect(await json(page, 'getAuthSession')).toMatchObject({ userId: user.userId })
  expect(page.cookies.has('svc_mfa_pending')).toBe(false)
})

it('an account with an authenticator app is signed in by a recovery code, after a code that was wrong', async () => {
  const { user, recoveryCodes, page } = await half()
  expect((await page.call('mfaVerify', { code: '00000000' })).status).toBeGreaterThan(399)
  expect((await page.call('mfaVerify', { recoveryCode: recoveryCodes[0] })).status).toBe(200)
  expect(await json(page, 'getAuthSession')).toMatchObject({ userId: user.userId })
})

import { createPortableKey } from '@svc/auth'
import type { Page } from 'playwright-core'
import { sealSession, sealWaiting } from '../../../../scripts/browser/seal-session.ts'
import type { Picture } from './picture.ts'
import { sessionSecret, type TestWebApp } from './test-web-app.ts'

const passkeysPath = '/account/security/passkeys'
const twoStepPath = '/account/security/two-step'

/** For users who are not signed in, or not any more. */
export const secondStepPictures: Picture[] = [
  { name: 'login-waiting', path: '/login', until: standsInLine },
  { name: 'mfa-over', path: '/auth/mfa' },
  { name: 'mfa', path: '/auth/mfa', until: waits },
  { name: 'renew', path: '/auth/renew', until: renews },
  { name: 'renew-none', path: '/auth/renew', until: renewsNothing },
]

/** Passkeys, the second step and bound sessions of an account. */
export const securityPictures: Picture[] = [
  { name: 'passkeys', path: passkeysPath, isSignedIn: true, until: hasPasskeys },
  { name: 'passkeys-none', path: passkeysPath, isSignedIn: true },
  { name: 'two-step', path: twoStepPath, isSignedIn: true, until: isOn },
  { name: 'two-step-off', path: twoStepPath, isSignedIn: true },
  { name: 'two-step-setup', path: twoStepPath, isSignedIn: true, until: setsUp },
  { name: 'recovery-codes', path: twoStepPath, isSignedIn: true, until: showsCodes },
  { name: 'security-bound', path: '/account/security', isSignedIn: true, until: isBound },
  {
    name: 'step-up',
    path: '/account/security',
    isSignedIn: true,
    ofWindow: true,
    until: asksOnceMore,
  },
  {
    name: 'step-up-password',
    path: passkeysPath,
    isSignedIn: true,
    ofWindow: true,
    until: asksPassword,
  },
  {
    name: 'step-up-ways',
    path: passkeysPath,
    isSignedIn: true,
    ofWindow: true,
    until: offersThreeWays,
  },
]

const now = Date.UTC(2026, 2, 2, 9, 41)
const day = 86_400_000

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** From now on, every call of this name gets this answer. */
export function answer(page: Page, name: string, json: object, status = 200) {
  return page.route(new RegExp(`/api/rpc/${name}(?:\\?|$)`), (route) =>
    route.fulfill({ status, json }),
  )
}

function refuse(page: Page, name: string, type: string) {
  return answer(page, name, { __type: type, message: 'Refused.', requestId: 'none' }, 403)
}

const options = {
  challenge: 'AAAA',
  timeout: 60_000,
  rpId: 'localhost',
  allowCredentials: [],
  userVerification: 'preferred',
}

/** Many people sign in at the same time. */
async function standsInLine(page: Page) {
  await answer(
    page,
    'login',
    { __type: 'ServiceUnavailableError', retryAfter: 12, place: 'a' },
    503,
  )
  await page.getByLabel('Email', { exact: true }).fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await click(page, 'Sign in')
  await page.getByRole('button', { name: 'Waiting…' }).waitFor()
}

/** A sign-in has answered 202. */
async function waits(page: Page) {
  const { registration: _, ...key } = await createPortableKey()
  const expiresAtMillis = Date.now() + 600_000
  const value = await sealWaiting(sessionSecret, { key, challenge: 'none', expiresAtMillis })
  await page.context().addCookies([{ name: 'svc_mfa_pending', value, url: page.url() }])
  await answer(page, 'mfaVerifyOptions', options)
  await page.reload()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await page.context().clearCookies()
}

/** A bound session has run out: its key is older than any lives. */
async function renews(page: Page, { api, clock }: TestWebApp) {
  const { registration, ...key } = await createPortableKey()
  const { userId, email, password } = await api.createUser()
  await clock.at(new Date(Date.now() - 91 * day), () =>
    api.call('login', { email, password, ...registration }),
  )
  const value = await sealSession(sessionSecret, { userId, ...key, isBound: true })
  await page.context().addCookies([{ name: 'svc_session', value, url: page.url() }])
  await page.reload()
  await page.getByRole('button', { name: 'Continue with your passkey' }).waitFor()
  await page.context().clearCookies()
}

async function renewsNothing(page: Page) {
  await page.getByRole('heading', { name: 'There is no session to continue' }).waitFor()
}

async function hasPasskeys(page: Page) {
  await answerPasskeys(page)
  await page.reload()
  await page.getByText('2 passkeys').waitFor()
}

async function answerPasskeys(page: Page) {
  // The page counts from the time that the server has rendered it.
  const at = Date.now()
  const common = { transports: ['internal'], secondFactor: false }
  await answer(page, 'listPasskeys', {
    passkeys: [
      {
        ...common,
        passkeyId: 'one',
        label: 'Ada’s iPhone',
        deviceType: 'multiDevice',
        backedUp: true,
        createdAtMillis: at - 60 * day,
        lastUsedAtMillis: at - day / 12,
      },
      {
        ...common,
        passkeyId: 'two',
        label: 'YubiKey 5 on my key ring',
        deviceType: 'singleDevice',
        backedUp: false,
        transports: ['usb', 'nfc'],
        secondFactor: true,
        createdAtMillis: at - 9 * day,
      },
    ],
  })
}

async function isOn(page: Page) {
  await answer(page, 'mfaStatus', {
    enrolled: true,
    methods: ['totp', 'passkey'],
    recoveryCodesRemaining: 3,
  })
  await page.reload()
  await page.getByRole('heading', { name: 'It is on' }).waitFor()
}

async function setsUp(page: Page) {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  await answer(page, 'mfaTotpEnroll', {
    secret,
    otpauthUri: `otpauth://totp/Svc:ada%40example.com?secret=${secret}&issuer=Svc`,
  })
  await click(page, 'Set up an authenticator app')
  await page.getByLabel('Code', { exact: true }).waitFor()
}

async function showsCodes(page: Page) {
  await isOn(page)
  const recoveryCodes = 'abcdefghjk'.split('').map((letter) => `${letter}7qm2-xvh9${letter}`)
  await answer(page, 'mfaRegenerateRecoveryCodes', { recoveryCodes })
  await click(page, 'Create new codes')
  await click(page, 'Yes, create new codes')
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
}

async function isBound(page: Page) {
  const keyExpiresAtMillis = now + day
  await answer(page, 'getSessionBinding', { mode: 'passkey', keyExpiresAtMillis })
  await answerPasskeys(page)
  await page.reload()
  await click(page, 'End the binding')
}

async function asksOnceMore(page: Page) {
  await refuse(page, 'revokeAllKeys', 'StepUpRequiredError')
  await answer(page, 'mfaStepUpOptions', options)
  await answer(page, 'mfaStatus', {
    enrolled: true,
    methods: ['passkey'],
    recoveryCodesRemaining: 0,
  })
  await click(page, 'Sign out everywhere')
  await click(page, 'Yes, sign out everywhere')
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
}

async function asksPassword(page: Page) {
  await refuse(page, 'passkeyRegisterOptions', 'RecentAuthenticationRequiredError')
  await click(page, 'Add a passkey')
  await page.getByLabel('Your password', { exact: true }).waitFor()
}

async function offersThreeWays(page: Page) {
  await answer(page, 'proveRecentOptions', options)
  await asksPassword(page)
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
}

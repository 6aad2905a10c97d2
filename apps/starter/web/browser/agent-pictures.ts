import { createPortableKey, openPortableKey } from '@svc/auth'
import type { Page } from 'playwright-core'
import { authenticatorApp } from '../../../../scripts/browser/authenticator-app.ts'
import { sealSession } from '../../../../scripts/browser/seal-session.ts'
import type { Picture } from './picture.ts'
import { answer } from './sign-in-pictures.ts'
import { sessionSecret, type TestWebApp } from './test-web-app.ts'

const consentPath = '/oauth2/consent'
const agentsPath = '/account/agents'
const hour = 3_600_000

/** For a user with a session of their own, which it leaves behind. */
export const factorPictures: Picture[] = [
  { name: 'consent-step-up', path: '/icon.svg', until: asksFactor },
  { name: 'consent-proof', path: '/icon.svg', until: asksPassword },
]

export const agentPictures: Picture[] = [
  { name: 'consent', path: consentPath, isSignedIn: true, until: asksConsent },
  { name: 'consent-invalid', path: `${consentPath}?client_id=none`, isSignedIn: true },
  { name: 'agents', path: agentsPath, isSignedIn: true, until: hasAgents },
  { name: 'agents-none', path: agentsPath, isSignedIn: true },
]

/** What an agent asks for that has just registered. */
export async function agentRequest({ api }: TestWebApp) {
  const redirectUri = 'https://agent.example.com/callback'
  const { body } = await api.call('registerOAuth2Client', {
    client_name: 'Agent Smith',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  })
  return {
    response_type: 'code',
    client_id: body.client_id as string,
    redirect_uri: redirectUri,
    scope: 'notice:read notice:write',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  }
}

export async function asksConsent(page: Page, app: TestWebApp) {
  const asked = new URLSearchParams(await agentRequest(app))
  await page.goto(`${app.web}${consentPath}?${asked}`)
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor()
}

async function enrol({ api }: TestWebApp, key: Awaited<ReturnType<typeof openPortableKey>>) {
  const { body } = await api.call('mfaTotpEnroll', {}, key)
  const code = authenticatorApp(body.secret, api.clock).nextCode()
  await api.call('mfaTotpConfirm', { code }, key)
}

/** Grace has proved her second step an hour ago. */
function asksFactor(page: Page, app: TestWebApp) {
  return asGrace(page, app, enrol, async () => {
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByText('That was wrong.').waitFor()
  })
}

/** Grace has no second step, and signed in an hour ago. */
function asksPassword(page: Page, app: TestWebApp) {
  const nothing = async () => {}
  return asGrace(page, app, nothing, () => page.getByLabel('Your password').waitFor())
}

/** Shows what a session of an hour ago is asked when it allows a program something. */
async function asGrace(
  page: Page,
  app: TestWebApp,
  prepare: typeof enrol,
  show: () => Promise<void>,
) {
  const { api, clock, web } = app
  const { userId, email, password } = await api.createUser()
  const { registration, ...portable } = await createPortableKey()
  const key = await openPortableKey(portable)
  await clock.at(new Date(Date.now() - hour), async () => {
    await api.call('login', { email, password, ...registration })
    await prepare(app, key)
  })
  const rename = (to: string) =>
    api.auth.db.execute(`update svc_auth.users set email = '${to}' where user_id = '${userId}'`)
  await rename('grace@example.com')
  const value = await sealSession(sessionSecret, { userId, ...portable })
  await page.context().addCookies([{ name: 'svc_session', value, url: web }])
  await asksConsent(page, app)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await show()
  await page.context().clearCookies()
  await rename(email)
}

async function hasAgents(page: Page) {
  // The page counts from the time that the server has rendered it.
  const at = Date.now()
  const common = { resource: '/mcp', expiresAtMillis: at + 700 * hour }
  const scopes = [
    { name: 'notice:read', description: 'Read the board' },
    { name: 'notice:write', description: 'Post notices in your name' },
  ]
  await answer(page, 'listOAuth2Grants', {
    grants: [
      {
        ...common,
        grantId: 'one',
        clientId: 'one',
        clientName: 'Agent Smith',
        redirectHost: 'agent.example.com',
        scopes,
        createdAtMillis: at - 60 * hour,
        lastUsedAtMillis: at - 2 * hour,
      },
      {
        ...common,
        grantId: 'two',
        clientId: 'two',
        clientName: 'A terminal',
        redirectHost: '127.0.0.1:7777',
        scopes: scopes.slice(0, 1),
        createdAtMillis: at - 400 * hour,
        lastUsedAtMillis: at - 90 * hour,
      },
    ],
  })
  await page.reload()
  await page.getByText('2 connected agents').waitFor()
}

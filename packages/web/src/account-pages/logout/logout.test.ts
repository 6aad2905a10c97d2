import { afterAll, beforeEach, expect, it } from 'vitest'
import { launchBrowser } from '../../../../../scripts/browser/launch-browser.ts'
import { startReactPage } from '../../test-react-page.ts'
import type { Asked } from './test-logout-entry.ts'

/** What the proxy answers, by the name of the operation, and what it was asked. */
let answers: Record<string, { status?: number; body: object }>
const asked: string[] = []
const site = await startReactPage(
  async (request) => {
    const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
    asked.push(name)
    const { status = 200, body } = answers[name] ?? { status: 404, body: {} }
    return Response.json(body, { status })
  },
  {
    entry: '/packages/web/src/account-pages/logout/test-logout-entry.ts',
    dependencies: ['react/jsx-dev-runtime', 'next/link.js', 'next/navigation.js'],
  },
)
const { browser, stop } = await launchBrowser()
afterAll(() => Promise.all([stop(), site.stop()]))
const page = await browser.newPage()
page.setDefaultTimeout(12_000)
// Next's own build replaces this.
await page.addInitScript('globalThis.process = { env: {} }')

beforeEach(() => {
  asked.length = 0
  const session: Pick<Asked, 'keyId'> = { keyId: 'the key' }
  answers = { getAuthSession: { body: session }, logout: { body: {} } }
})

const back = `${site.url}/signed-out?state=x`
const signOut = () => page.getByRole('button', { name: 'Sign out' }).click()

it('signs nothing out before the user says so', async () => {
  await page.goto(site.url)
  await page.getByRole('heading', { name: 'Intranet asks to sign you out here' }).waitFor()
  await page.getByText('ada@example.com').waitFor()
  expect(await page.getByText('means a different account').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Stay signed in' }).getAttribute('href')).toBe('/')
  expect(asked).toEqual([])
})

it('signs the session out that it was rendered for, and goes on to the application', async () => {
  await page.goto(site.url)
  await signOut()
  await page.waitForURL(back)
  expect(asked).toEqual(['getAuthSession', 'logout'])
})

it('signs no other account out that has signed in since', async () => {
  answers.getAuthSession = { body: { keyId: 'another key' } }
  await page.goto(site.url)
  await signOut()
  await page.getByText('your session has changed').waitFor()
  expect(asked).toEqual(['getAuthSession'])
})

it('asks the server again if there is no session: it was signed out elsewhere, or must be proved first', async () => {
  const refused = { status: 401, body: { __type: 'UnauthorizedError' } }
  for (const name of ['getAuthSession', 'logout']) {
    await page.goto(site.url)
    const before = answers[name]
    answers[name] = refused
    const reloaded = page.waitForEvent('load')
    await signOut()
    await reloaded
    expect(page.url()).toBe(`${site.url}/`)
    answers[name] = before ?? refused
    await signOut()
    await page.waitForURL(back)
  }
})

it('goes nowhere while the user is still signed in', async () => {
  answers.logout = { status: 503, body: { __type: 'ServiceUnavailableError' } }
  await page.goto(site.url)
  await signOut()
  await page.getByRole('alert').waitFor()
  expect(page.url()).toBe(`${site.url}/`)
  answers.logout = { body: {} }
  await signOut()
  await page.waitForURL(back)
})

it('says that the application means a different account', async () => {
  await page.goto(`${site.url}/?other`)
  await page.getByRole('alert').getByText('means a different account').waitFor()
})

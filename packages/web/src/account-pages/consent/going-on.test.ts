import { afterAll, beforeEach, expect, it } from 'vitest'
import { launchBrowser } from '../../../../../scripts/browser/launch-browser.ts'
import { startReactPage } from '../../test-react-page.ts'
import type { Decided } from './test-going-on-entry.ts'

/** What the proxy answers, by the name of the operation, and what it was asked. */
let answers: Record<string, { status?: number; body: object }>
const asked: string[] = []
const site = await startReactPage(
  async (request) => {
    const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
    asked.push(`${name} ${await request.text()}`)
    const { status = 200, body } = answers[name] ?? { status: 404, body: {} }
    return Response.json(body, { status })
  },
  {
    entry: '/packages/web/src/account-pages/consent/test-going-on-entry.ts',
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
  const redirectTo = `${site.url}/callback?code=x`
  const session: Pick<Decided, 'keyId'> = { keyId: 'the key' }
  answers = {
    getAuthSession: { body: session },
    createOAuth2AuthorizationCode: { body: { redirectTo } },
  }
})

const arrive = () => page.goto(site.url)

const decisions = () => asked.filter((each) => each.startsWith('createOAuth2AuthorizationCode'))

it('allows what a trusted application asks for once, in strict mode too, and goes there', async () => {
  await arrive()
  await page.waitForURL(`${site.url}/callback?code=x`)
  expect(decisions()).toEqual([
    'createOAuth2AuthorizationCode {"body":{"client_id":"intranet","prompt":"login","decision":"allow"}}',
  ])
})

it('decides nothing if another account has signed in since, and says so', async () => {
  answers.getAuthSession = { body: { keyId: 'another key' } }
  await arrive()
  await page.getByText('your session has changed').waitFor()
  expect(decisions()).toEqual([])
})

it('says what has failed, and can be tried again', async () => {
  const { createOAuth2AuthorizationCode: works = { body: {} } } = answers
  answers.createOAuth2AuthorizationCode = {
    status: 503,
    body: { __type: 'ServiceUnavailableError' },
  }
  await arrive()
  const again = page.getByRole('button', { name: 'Continue' })
  await again.waitFor()
  answers.createOAuth2AuthorizationCode = works
  await again.click()
  await page.waitForURL(`${site.url}/callback?code=x`)
})

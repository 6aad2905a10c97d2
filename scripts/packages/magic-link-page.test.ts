import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { magicLinkCapability } from '../../examples/magic-link/src/capability.ts'
import { magicLink } from '../../examples/magic-link/src/contract.ts'
import { authRouteMap } from '../../packages/auth/src/index.ts'
import { startTestAuth } from '../../packages/auth/src/testing.ts'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { authInterceptors, createRpcProxy } from '../../packages/web/src/proxy.ts'
import { launchBrowser } from '../browser/launch-browser.ts'
import { repository } from './public-packages.ts'

const auth = await startTestAuth({ options: { capabilities: [magicLinkCapability()] } })
const env = {
  SVC_AUTH_SESSION_SECRET: 'Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5Ai-oTq_',
  SVC_AUTH_CSRF: 'enforce',
}
const proxy = createRpcProxy({
  routeMap: authRouteMap,
  contracts: [magicLink],
  apiUrl: auth.url,
  interceptors: [authInterceptors({ contracts: [magicLink], env })],
  env,
})

// Ignored by git, and inside the repository so that its packages are found.
mkdirSync(join(repository, '.svc'), { recursive: true })
const folder = mkdtempSync(join(repository, '.svc', 'magic-link-page-'))
const bundle = join(folder, 'bundle.js')
writeFileSync(
  join(folder, 'entry.tsx'),
  `import { createRoot } from 'react-dom/client'
  import { MagicLinkPage } from '../../examples/magic-link/src/page.tsx'
  const token = new URLSearchParams(location.search).get('token') ?? ''
  const onSignedIn = ({ mfaRequired }) => { document.title = mfaRequired ? 'second step' : 'signed in' }
  createRoot(document.body).render(<MagicLinkPage token={token} onSignedIn={onSignedIn} />)`,
)

const html = '<!doctype html><title>Test</title><body><script src="/bundle.js"></script>'

async function answerTo(incoming: IncomingMessage) {
  const { url = '/' } = incoming
  if (url === '/bundle.js') return new Response(readFileSync(bundle))
  if (url.startsWith('/api/rpc/')) return proxy.POST(await requestOf(incoming))
  return new Response(html, { headers: { 'content-type': 'text/html' } })
}

const site = createServer((incoming, outgoing) => {
  answerTo(incoming)
    .then(async (answer) => {
      outgoing.setHeaders(answer.headers).writeHead(answer.status)
      outgoing.end(Buffer.from(await answer.arrayBuffer()))
    })
    .catch(() => outgoing.destroy())
})

async function requestOf(incoming: IncomingMessage) {
  const { url = '/', headers } = incoming
  const { host, cookie = '', 'x-svc-csrf': csrf } = headers
  return new Request(`http://${host}${url}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie,
      ...(typeof csrf === 'string' && { 'x-svc-csrf': csrf }),
    },
    body: Buffer.concat(await incoming.toArray()),
  })
}

let pageUrl: string
const { browser, stop } = await launchBrowser()
beforeAll(async () => {
  const args = ['--bundle', '--jsx=automatic', '--conditions=svc-source', `--outfile=${bundle}`]
  const bundled = await runCommand(['esbuild', join(folder, 'entry.tsx'), ...args], {
    cwd: repository,
  })
  expect(bundled.passed, bundled.output).toBe(true)
  await new Promise<void>((listening) => site.listen(0, 'localhost', listening))
  pageUrl = `http://localhost:${(site.address() as AddressInfo).port}/magic-link`
})
afterAll(async () => {
  site.closeAllConnections()
  await Promise.all([stop(), auth.stop(), new Promise((closed) => site.close(closed))])
  rmSync(folder, { recursive: true, force: true })
})

async function mailed() {
  const { email, userId } = await auth.createUser()
  const ask = () =>
    auth.fetch('/_auth/magic-link', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
  return { userId, token: await auth.linkSentBy(ask, email, 'magic-link.sign-in') }
}

async function open(token: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${pageUrl}?token=${token}`)
  return page
}

const pressed = (page: Page) => page.getByRole('button', { name: 'Sign in' }).click()

it('the page of a magic link signs its browser in through the proxy, and only by its button', async () => {
  const { userId, token } = await mailed()
  await (await open(token)).getByRole('button').waitFor()
  const page = await open(token)
  await pressed(page)
  await page.waitForFunction(() => document.title === 'signed in')
  const session = await page.evaluate(async () => {
    const answer = await fetch('/api/rpc/getAuthSession', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    return (await answer.json()) as { userId: string }
  })
  expect(session.userId).toBe(userId)
})

it('the page of a magic link says that it was used', async () => {
  const { token } = await mailed()
  const [first, second] = [await open(token), await open(token)]
  await pressed(first)
  await first.waitForFunction(() => document.title === 'signed in')
  await pressed(second)
  await second.getByText('This link was used, or has expired.').waitFor()
  expect(await second.title()).toBe('Test')
})

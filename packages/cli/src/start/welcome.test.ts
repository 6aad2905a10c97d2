import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { partsEnvironment } from '../environment/environment.ts'
import { welcome } from './welcome.ts'

const forAll = { get: { security: [] } }

/** The API's OpenAPI document, as the starter has it. */
const paths = {
  '/_core/health': forAll,
  '/_ops/mailbox': forAll,
  '/_auth/login': {},
  '/health': forAll,
  '/me': { get: { security: [{}] } },
  '/notices': forAll,
  '/mcp': {},
}

async function started(given: NodeJS.ProcessEnv = {}, served: object = paths) {
  const api = createServer((_, response) => response.end(JSON.stringify({ paths: served })))
  await new Promise<void>((done) => api.listen(0, done))
  onTestFinished(() => void api.close())
  const { port } = api.address() as AddressInfo // it listens on a port, not on a pipe
  const own = { SVC_AUTH_ADMIN_EMAIL: 'a@b.example' }
  const { env, ports, urls } = partsEnvironment({ SVC_PORT: `${port}`, ...own, ...given })
  const signIn = { email: 'admin@example.com', password: 'sixteen-letters-' }
  return { env, ports, signIn, urls: { ...urls, web: 'http://localhost:13790' } }
}

it('begins with the web app, how to sign in and where codes arrive', async () => {
  const run = await started()
  const [user, developer] = (await welcome(run, { hasWeb: true })).trim().split('\n\n').slice(1)
  expect(user?.split('\n').map((line) => line.trim())).toEqual([
    'Web app     http://localhost:13790   open this first',
    'Sign in     admin@example.com   password: sixteen-letters-',
    `Mailbox     ${run.urls.api}/_ops/mailbox   codes and links arrive here`,
  ])
  expect(developer).toContain(`API         ${run.urls.api}/notices\n`)
})

it('fits a terminal of 80 columns', async () => {
  const text = await welcome(await started(), { hasWeb: true })
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it('without a web app begins with the API, and names no address for agents', async () => {
  const run = await started()
  const [first] = (await welcome(run, { hasWeb: false })).trim().split('\n\n').slice(1)
  expect(first).toContain(`API         ${run.urls.api}/notices\n`)
  expect(first).not.toContain('/mcp')
})

it('names no account for a server without sign-in, and no address that has moved', async () => {
  const run = await started({}, { '/_core/health': forAll, '/health': forAll })
  const text = await welcome(run, { hasWeb: false })
  expect(text).not.toContain('Sign in')
  expect(text).toContain(`API         ${run.urls.api}\n`)
})

it.each([
  ['in production', { NODE_ENV: 'production' }],
  ['where mail leaves for a mail server', { SVC_MAIL_URL: 'smtp://mail.example' }],
])('names no mailbox %s', async (_, given) => {
  expect(await welcome(await started(given), { hasWeb: true })).not.toContain('Mailbox')
})

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { startTestAuth } from '@svc/auth/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../scripts/browser/launch-browser.ts'
import { runCommand } from '../../../scripts/run-command.ts'
import { startPart } from '../../../scripts/start/part.ts'
import { nextCommand, webFolder } from '../../../scripts/start/web-build.ts'
import server from '../api/server.ts'

// The web app sees the packages as their users do: built. A fault in their types is for `npm run check` to report.
await runCommand(['tsc', '-b', 'tsconfig.build.json'])

const web = `http://localhost:${await freePort()}`
const api = await startTestAuth({ definition: server.origins(web) })
const admin = await api.createUser({ role: 'admin', email: 'ada@example.com' })
const user = await api.createUser({ email: 'grace@example.com' })

// A folder of its own, `.next/dev`: a build that runs beside the tests keeps its files.
const next = startPart(
  {
    name: 'Web app',
    args: nextCommand('dev', '--port', new URL(web).port),
    cwd: webFolder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'development',
      NEXT_TELEMETRY_DISABLED: '1',
      SVC_API_URL: api.url,
      SVC_AUTH_SESSION_SECRET: 'Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5Ai-oTq_',
      NEXT_PUBLIC_SVC_API_URL: api.url,
    },
    readyUrl: web,
  },
  () => {},
)
const chromium = await launchBrowser()
afterAll(async () => {
  await Promise.all([chromium.stop(), next.stop()])
  await api.stop()
})
if (!(await next.isReady())) throw new Error(next.lastLines())

async function freePort() {
  const listening = createServer().listen(0)
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo // never a pipe: it listens on a port
  listening.close()
  return port
}

let page: Page
beforeEach(async () => {
  const context = await chromium.browser.newContext()
  page = await context.newPage()
  await page.goto(web)
  return () => context.close()
})

const see = (text: string) => page.getByText(text).waitFor()
const click = (name: string) => page.getByRole('button', { name }).click()
const newNotice = () => page.getByRole('textbox', { name: 'New notice' })

async function signIn({ email, password }: { email: string; password: string }) {
  await page.goto(`${web}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await click('Sign in')
}

// The first visit to a page is when Next compiles it.
describe('the notice board', { timeout: 60_000 }, () => {
  it('is posted to by whoever signs in, until they sign out', async () => {
    await signIn({ ...admin, password: 'not the password' })
    await see('The email or the password is wrong.')
    await signIn(admin)
    await newNotice().fill('Posted from a browser')
    await click('Post')
    await see('Your notice is on the board.')
    await page.getByRole('listitem').filter({ hasText: 'Posted from a browser' }).waitFor()

    await page.reload()
    await click('Sign out')
    await see('to post a notice.')
    expect(await page.getByRole('listitem').count()).toBe(1)
  })

  it('tells who may not post why', async () => {
    await signIn(user)
    await see('lacks the permission notice:write')
    expect(await newNotice().count()).toBe(0)
  })
})

describe('the web host', { timeout: 60_000 }, () => {
  it('forwards /_auth/ to the API, and nothing else of that kind (A-007)', async () => {
    const answer = await fetch(`${web}/_auth/session`)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { code: 'UnauthorizedError' } })
    expect((await fetch(`${web}/_ops/session`)).status).toBe(404)
  })
})

import { cpSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keepInStep } from '../../apps/starter/web/browser/keep-in-step.ts'
import { freeAddress } from '../../apps/starter/web/browser/test-web-app.ts'
import { whenLoaded } from '../../apps/starter/web/browser/when-loaded.ts'
import { startTestAuth } from '../../packages/auth/src/testing.ts'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { nextCommand } from '../../packages/cli/src/run/web-build.ts'
import { launchBrowser } from '../browser/launch-browser.ts'
import { serveUntilReady } from '../browser/serve-web-app.ts'
import { layPage } from './lay-page.ts'

// The quick start for a Next app: the files of the page, built by Next and opened in a browser.

const repository = resolve(import.meta.dirname, '..', '..')
const starter = join(repository, 'apps', 'starter', 'web')
const page = layPage('docs/start/next-sign-in.md')
// What an app of Next has already.
cpSync(join(starter, 'tsconfig.json'), join(page.folder, 'tsconfig.json'))
writeFileSync(
  join(page.folder, 'package.json'),
  JSON.stringify({ name: 'an-app', private: true, type: 'module' }),
)

const web = await freeAddress()
const { default: definition } = await page.load('api/server.ts')
const api = await startTestAuth({ definition: definition.origins(web), env: { SVC_APP_URL: web } })
const clock = keepInStep(api.clock)
const env = {
  PATH: dirname(process.execPath),
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  SVC_API_URL: api.url,
  NEXT_PUBLIC_SVC_API_URL: api.url,
  SVC_AUTH_COOKIE_SECURE: 'off',
  SVC_AUTH_SESSION_SECRET: 'Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5Ai-oTq_',
} as const

await runCommand(['tsc', '-b', 'tsconfig.build.json'], { cwd: repository })
const build = [process.execPath, ...nextCommand(starter, 'build')] as const
const built = await runCommand([...build], { cwd: page.folder, env })
if (!built.passed) throw new Error(built.output)
const served = await serveUntilReady({ folder: page.folder, url: web, env })
const chromium = await launchBrowser()
afterAll(async () => {
  clock.stop()
  await Promise.all([chromium.stop(), served.stop()])
  await api.stop()
  page.remove()
})

async function visitor() {
  const context = await chromium.browser.newContext()
  const tab = await context.newPage()
  return {
    tab,
    open: async (path: string) => {
      await tab.goto(`${web}${path}`)
      await whenLoaded(tab)
    },
    signIn: async ({ email, password }: { email: string; password: string }) => {
      await tab.getByLabel('Email', { exact: true }).fill(email)
      await tab.getByLabel('Password', { exact: true }).fill(password)
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
  }
}

it('asks for a sign-in, shows the page, and refuses a device that was signed out', async () => {
  const user = await api.createUser()
  const [laptop, phone] = [await visitor(), await visitor()]
  for (const { tab, open, signIn } of [laptop, phone]) {
    await open('/secret')
    expect(tab.url()).toContain('/login?')
    await signIn(user)
    await tab.getByRole('heading', { name: `Only for you, ${user.email}` }).waitFor()
  }

  await laptop.tab.getByRole('link', { name: 'Your devices' }).click()
  await laptop.tab.waitForURL(`${web}/account/devices`)
  await whenLoaded(laptop.tab)
  for (const name of ['Sign out all other devices', 'Yes, sign out']) {
    await laptop.tab.getByRole('button', { name, exact: true }).click()
  }
  await laptop.tab.getByText('You are not signed in anywhere else.').waitFor()
  await phone.open('/secret')
  expect(phone.tab.url()).toContain('/login?')
  await laptop.open('/secret')
  await laptop.tab.getByRole('heading', { name: `Only for you, ${user.email}` }).waitFor()
})

import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { seed } from './seed.ts'
import { startTestWebApp, type TestWebApp } from './test-web-app.ts'
import { whenLoaded } from './when-loaded.ts'

interface Picture {
  name: string
  path: string
  isSignedIn?: boolean
  /** Brings the page to what is to be seen. */
  until?: (page: Page) => Promise<unknown>
}

type User = Awaited<ReturnType<typeof seed>>

const pictures: Picture[] = [
  { name: 'board', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'login-code', path: '/login?with=code' },
  { name: 'register', path: '/register' },
  { name: 'not-found', path: '/no-such-page' },
  { name: 'board-signed-in', path: '/', isSignedIn: true },
  { name: 'account', path: '/account', isSignedIn: true },
  { name: 'devices', path: '/account/devices', isSignedIn: true },
  { name: 'security', path: '/account/security', isSignedIn: true },
  { name: 'live', path: '/live', isSignedIn: true, until: isConnected },
  { name: 'roles', path: '/admin/roles', isSignedIn: true },
]

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [375, 1280].map((width) => ({ colorScheme, width })),
)

/** Takes a picture of every page of the starter, as it is served in production: light and dark, narrow and wide. */
export async function takeScreenshots(folder: URL) {
  mkdirSync(folder, { recursive: true })
  const app = await startTestWebApp()
  try {
    const user = await seed(app)
    for (const look of looks) await takeAll({ app, user, folder, ...look })
  } finally {
    await app.stop()
  }
}

interface Look {
  app: TestWebApp
  user: User
  folder: URL
  colorScheme: 'light' | 'dark'
  width: number
}

async function takeAll({ app, user, folder, colorScheme, width }: Look) {
  const context = await app.browser.newContext({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
    // Without a window Chromium calls itself by another name.
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  const page = await newPage(context)
  for (const { name, path, isSignedIn = false, until } of pictures) {
    if (isSignedIn && (await context.cookies()).length === 0) await signIn(page, app.web, user)
    await page.goto(`${app.web}${path}`)
    await until?.(page)
    await whenLoaded(page)
    const file = fileURLToPath(new URL(`${name}-${colorScheme}-${width}.png`, folder))
    await page.screenshot({ path: file, fullPage: true, animations: 'disabled' })
  }
  // The next look signs in anew: the list of devices is to stay as it is.
  await signOut(page)
  await context.close()
}

async function newPage(context: BrowserContext) {
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setScrollbarsHidden', { hidden: true })
  return page
}

async function signIn(page: Page, web: string, { email, password }: User) {
  await page.goto(`${web}/login`)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${web}/`)
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('link', { name: 'Sign in', exact: true }).first().waitFor()
}

/** Both streams are open, at a time of day that is always the same. */
async function isConnected(page: Page) {
  await page.clock.setFixedTime(new Date('2026-03-02T09:41:00Z'))
  await page.reload()
  await page.getByText('Connected', { exact: true }).nth(1).waitFor()
}

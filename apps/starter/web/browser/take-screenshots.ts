import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { agentPictures, factorPictures } from './agent-pictures.ts'
import { asWebp, openPage } from './camera.ts'
import { devicePictures } from './device-pictures.ts'
import { jobPictures } from './job-pictures.ts'
import { machinePictures } from './machine-pictures.ts'
import { organizationPictures } from './organization-pictures.ts'
import { ownOrganizationPictures } from './own-organization-pictures.ts'
import type { Picture } from './picture.ts'
import { recordTour } from './record-tour.ts'
import { seed } from './seed.ts'
import { secondStepPictures, securityPictures } from './sign-in-pictures.ts'
import { linkedPictures, socialPictures } from './social-pictures.ts'
import { supportPictures } from './support-pictures.ts'
import { startTestWebApp, type TestWebApp } from './test-web-app.ts'
import { whenLoaded } from './when-loaded.ts'

type User = Awaited<ReturnType<typeof seed>>

const pictures: Picture[] = [
  { name: 'board', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'login-code', path: '/login?with=code' },
  { name: 'register', path: '/register' },
  { name: 'signup', path: '/signup' },
  { name: 'signup-sent', path: '/signup', until: asksForLink },
  { name: 'signup-confirm', path: '/signup/confirm?token=none' },
  { name: 'signup-over', path: '/signup/confirm?token=none', until: opensLink },
  { name: 'password-forgot', path: '/password/forgot' },
  { name: 'password-reset', path: '/password/reset', until: resets },
  { name: 'password-reset-newer', path: '/password/reset', until: wasSuperseded },
  { name: 'link', path: '/link', until: showsCode },
  { name: 'link-denied', path: '/link', until: isDenied },
  { name: 'invitation', path: '/invitation', until: isInvited },
  { name: 'invitation-over', path: '/invitation' },
  { name: 'contact-undo', path: '/account/undo', until: offersUndo },
  { name: 'restore', path: '/restore' },
  ...secondStepPictures,
  ...socialPictures,
  ...factorPictures,
  ...devicePictures,
  ...ownOrganizationPictures,
  { name: 'not-found', path: '/no-such-page' },
  { name: 'board-signed-in', path: '/', isSignedIn: true },
  { name: 'menu', path: '/', isSignedIn: true, ofWindow: true, until: opensMenu },
  { name: 'account', path: '/account', isSignedIn: true },
  { name: 'devices', path: '/account/devices', isSignedIn: true },
  { name: 'security', path: '/account/security', isSignedIn: true },
  { name: 'device', path: '/device?code=K7QM-2XVH', isSignedIn: true },
  {
    name: 'device-approval',
    path: '/device?code=K7QM-2XVH',
    isSignedIn: true,
    until: asksApproval,
  },
  { name: 'change-email', path: '/account/email', isSignedIn: true },
  { name: 'delete-account', path: '/account/close', isSignedIn: true },
  ...securityPictures,
  ...linkedPictures,
  ...agentPictures,
  ...machinePictures,
  ...supportPictures,
  { name: 'live', path: '/live', isSignedIn: true, until: isConnected },
  { name: 'people', path: '/admin/people', isSignedIn: true, until: hasMary },
  { name: 'person', path: '/admin/people', isSignedIn: true, until: opensPerson },
  { name: 'roles', path: '/admin/roles', isSignedIn: true },
  { name: 'audit', path: '/admin/audit?act=role.created', isSignedIn: true },
  { name: 'streams', path: '/admin/live', isSignedIn: true },
  ...jobPictures,
  ...organizationPictures,
  { name: 'programs', path: '/admin/programs', isSignedIn: true },
  { name: 'limits', path: '/admin/limits', isSignedIn: true },
  { name: 'server', path: '/admin/server', isSignedIn: true },
  { name: 'invitations', path: '/admin/invitations', isSignedIn: true },
]

// A narrow page has the colours of a wide one.
const looks = [
  { colorScheme: 'light', width: 375 },
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
] as const

/** The picture of the first page of the documents, for every screen. */
const inEveryLook = ['devices']

/**
 * Takes a picture of every page of the starter, or of those that are named, as it is served in production: light and
 * wide, light and narrow, dark and wide. `tour` is a moving one.
 */
export async function takeScreenshots(folder: URL, names: readonly string[] = []) {
  mkdirSync(folder, { recursive: true })
  const app = await startTestWebApp()
  try {
    const user = await seed(app)
    for (const look of looks) await takeAll({ app, user, folder, names, ...look })
    const wanted = inEveryLook.filter((name) => names.length === 0 || names.includes(name))
    if (wanted.length > 0) {
      await takeAll({ app, user, folder, names: wanted, colorScheme: 'dark', width: 375 })
    }
    if (names.length === 0 || names.includes('tour')) await recordTour(app, folder)
  } finally {
    await app.stop()
  }
}

interface Look {
  app: TestWebApp
  user: User
  folder: URL
  names: readonly string[]
  colorScheme: 'light' | 'dark'
  width: number
}

async function takeAll({ app, user, folder, names, colorScheme, width }: Look) {
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
  const isFirst = colorScheme === 'light' && width === 1280
  for (const picture of pictures) {
    const { name, path, isSignedIn = false, ofWindow = false, inOneLook, until, after } = picture
    if (names.length > 0 && !names.includes(name)) continue
    if (inOneLook && !isFirst) continue
    // One page each: what one was answered, and the time that it was told, are not the next one's.
    const page = await openPage(context)
    if (isSignedIn && (await context.cookies()).length === 0) await signIn(page, app.web, user)
    await page.goto(`${app.web}${path}`)
    await until?.(page, app)
    await whenLoaded(page)
    const file = fileURLToPath(new URL(`${name}-${colorScheme}-${width}.webp`, folder))
    const png = await page.screenshot({ fullPage: !ofWindow, animations: 'disabled' })
    writeFileSync(file, await asWebp(png))
    await after?.(page)
    await page.close()
  }
  // The next look signs in again: the list of devices is to stay as it is.
  if ((await context.cookies()).length > 0) await signOut(await openPage(context), app.web)
  await context.close()
}

async function signIn(page: Page, web: string, { email, password }: User) {
  await page.goto(`${web}/login`)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${web}/`)
}

async function signOut(page: Page, web: string) {
  await page.goto(web)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('link', { name: 'Sign in', exact: true }).first().waitFor()
}

async function opensMenu(page: Page) {
  await page.getByRole('button', { name: 'Your account' }).click()
}

const withMary = new WeakSet<TestWebApp>()

/** Another user, who is signed in somewhere. */
async function hasMary(page: Page, app: TestWebApp) {
  const email = 'mary@example.com'
  const mary = page.getByRole('link', { name: email })
  if (!withMary.has(app)) await app.api.signedInUser({ email })
  withMary.add(app)
  await page.reload()
  await mary.waitFor()
  return mary
}

async function opensPerson(page: Page, app: TestWebApp) {
  await (await hasMary(page, app)).click()
  await page.getByRole('heading', { name: 'Help this user' }).waitFor()
}

/** The mail is on its way, at a time of day that is always the same. */
async function asksForLink(page: Page) {
  await page.getByLabel('Email', { exact: true }).fill('grace@example.com')
  await page.route('**/api/rpc/requestSignupLink', (route) =>
    route.fulfill({ json: { success: true, expiresAt: '2026-03-02T10:11:00Z' } }),
  )
  await page.getByRole('button', { name: 'Send link', exact: true }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
}

async function opensLink(page: Page) {
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
}

/** A link was good. */
async function resets(page: Page) {
  await page.route('**/api/rpc/confirmPasswordReset', (route) =>
    route.fulfill({ json: { email: 'ada@example.com', returnPath: '/' } }),
  )
  await page.goto(`${page.url()}?token=good`)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
}

/** A newer link was requested while the page was open. */
async function wasSuperseded(page: Page) {
  await resets(page)
  const name = 'PasswordResetSessionError'
  const message = 'Unauthorized'
  const error = { code: name, message, requestId: 'none' }
  await page.route('**/api/rpc/completePasswordReset', (route) =>
    route.fulfill({ status: 401, json: { __type: name, message, error } }),
  )
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Set password', exact: true }).click()
  await page.getByRole('heading', { name: 'Open the newest mail' }).waitFor()
}

const now = Date.UTC(2026, 2, 2, 9, 41)

/** A code waits for its approval. */
async function showsCode(page: Page) {
  await page.clock.setFixedTime(now)
  await page.route('**/api/rpc/startDeviceAuth', (route) =>
    route.fulfill({
      json: {
        userCode: 'K7QM-2XVH',
        fingerprintPrefix: '3f9a1c07',
        expiresAtMillis: now + 581_000,
        intervalMillis: 5000,
      },
    }),
  )
  await page.route('**/api/rpc/pollDeviceAuth', () => {})
  await page.reload()
  await page.getByText('K7QM-2XVH').waitFor()
  // The web app of the pictures listens on another port each time.
  await page.getByText(new URL(page.url()).host).evaluate((address) => {
    address.textContent = 'app.example.com/device'
  })
  // What the page had begun with was a code of its own.
  await page.context().clearCookies()
}

async function isDenied(page: Page) {
  await page.route('**/api/rpc/pollDeviceAuth', (route) =>
    route.fulfill({
      status: 403,
      json: { __type: 'DeviceAuthDeniedError', message: 'Denied.', requestId: 'none' },
    }),
  )
  await page.reload()
  await page.getByRole('heading', { name: 'The sign-in was denied' }).waitFor()
  await page.context().clearCookies()
}

async function asksApproval(page: Page) {
  await page.route('**/api/rpc/getDeviceAuthInfo', (route) =>
    route.fulfill({
      json: {
        deviceName: 'Chrome on Android',
        platform: 'web',
        fingerprintPrefix: '3f9a1c07',
        requestedAtMillis: now - 125_000,
        expiresAtMillis: now + 475_000,
      },
    }),
  )
  await page.clock.setFixedTime(now)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
}

async function isInvited(page: Page) {
  await page.route('**/api/rpc/getInvitation', (route) =>
    route.fulfill({
      json: {
        email: 'grace@example.com',
        role: 'admin',
        roleDisplayName: 'Administrator',
        expiresAt: '2026-03-09T09:41:00Z',
      },
    }),
  )
  await page.goto(`${page.url()}?token=good`)
  await page.getByLabel('Password', { exact: true }).waitFor()
}

/** Both streams are open, at a time of day that is always the same. */
async function isConnected(page: Page) {
  await page.clock.setFixedTime(new Date('2026-03-02T09:41:00Z'))
  await page.reload()
  await page.getByText('Connected', { exact: true }).nth(1).waitFor()
}

/** An address was changed, and the old one has opened its link. */
async function offersUndo(page: Page) {
  await page.route('**/api/rpc/confirmContactUndoLink', (route) =>
    route.fulfill({
      json: { kind: 'email', restores: 'ada@example.com', expiresAt: '2026-03-05T09:41:00Z' },
    }),
  )
  await page.goto(`${page.url()}?token=good`)
  await page.getByRole('heading', { name: 'Was this not you?' }).waitFor()
}

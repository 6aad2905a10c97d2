import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { openPage } from './camera.ts'
import { scale, startFilm, windowSize } from './film.ts'
import type { TestWebApp } from './test-web-app.ts'
import { watchShift } from './watch-shift.ts'
import { whenLoaded } from './when-loaded.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0'
const laptopAgent = `Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36`
const phoneAgent = `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${chrome} Mobile Safari/537.36`

const text = 'The coffee machine works again.'

/**
 * Records what Svc does, for the first page of the repository: a user signs in and posts a notice,
 * which arrives on another device; then they sign that device out, and its streams end.
 */
export async function recordTour(app: TestWebApp, folder: URL) {
  const user = await app.api.createUser({ role: 'admin', email: 'grace.hopper@example.com' })
  const [laptop, phone] = [await openWindow(app, laptopAgent), await openWindow(app, phoneAgent)]
  const shifts = [await watchShift(laptop), await watchShift(phone)]
  await watches(phone, app.web, user)
  await laptop.goto(`${app.web}/login`)
  await whenLoaded(laptop)
  const film = await startFilm(app.browser, {
    left: { title: 'Laptop', page: laptop },
    right: { title: 'Phone', page: phone },
  })
  const { show, point } = film
  const click = async (locator: ReturnType<Page['getByRole']>, millis: number) => {
    await point('left', locator)
    await show(millis)
    await film.hidePointer('left')
    await locator.click()
  }
  const button = (name: string) => laptop.getByRole('button', { name, exact: true })

  await show(1500, 'Two devices of one user. The phone waits for live events.')
  await laptop.getByLabel('Email', { exact: true }).fill(user.email)
  await show(500, 'Sign in on the laptop.')
  await laptop.getByLabel('Password', { exact: true }).fill(user.password)
  await show(500)
  await click(button('Sign in'), 600)
  await laptop.waitForURL(`${app.web}/`)
  await whenLoaded(laptop)
  await laptop.getByText('Connected to the API, live').waitFor()
  await show(1400, 'Each device has a key of its own, and signs every request with it.')

  const notice = laptop.getByRole('textbox', { name: 'New notice' })
  await scrollTo(notice)
  for (const end of [10, 18, text.length]) {
    await notice.fill(text.slice(0, end))
    await show(350, 'Post a notice.')
  }
  await click(button('Post'), 600)
  await laptop.getByText('Your notice is on the board.').waitFor()
  await laptop.getByRole('listitem').filter({ hasText: text }).first().waitFor()
  await phone.getByRole('log', { name: 'Server-sent events' }).getByText(text).waitFor()
  await show(2500, 'It arrives on the phone at once.')
  writeFileSync(new URL('tour-still.webp', folder), await film.still())

  await laptop.goto(`${app.web}/account/devices`)
  await whenLoaded(laptop)
  await show(1300, 'Lost the phone? Sign it out.')
  const other = laptop.getByRole('listitem').filter({ hasText: 'Signed in' })
  await click(other.getByRole('button', { name: 'Sign out' }), 600)
  await button('Yes, sign out').waitFor()
  await click(button('Yes, sign out'), 800)
  await laptop.getByText('You are not signed in anywhere else.').waitFor()
  await isSignedOut(phone)
  await show(3600, 'Its streams end at once, and its next request is refused.')
  writeFileSync(new URL('tour.webp', folder), await film.end())
  for (const page of [laptop, phone]) await page.context().close()
  refuseShift(shifts.map((shift) => shift()))
}

/** Above this, a page would make its users press something else than they meant. */
const allowedShift = 0.01

function refuseShift(shifts: readonly number[]) {
  if (Math.max(...shifts) <= allowedShift) return
  throw new Error(`Something in the recording moved by itself, by ${shifts.join(' and ')}.`)
}

async function openWindow({ browser }: TestWebApp, userAgent: string) {
  const context = await browser.newContext({
    viewport: windowSize,
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
    userAgent,
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  return openPage(context)
}

/** The phone's streams are open. */
async function watches(phone: Page, web: string, user: { email: string; password: string }) {
  await phone.goto(`${web}/login?returnTo=%2Flive`)
  await whenLoaded(phone)
  await phone.getByLabel('Email', { exact: true }).fill(user.email)
  await phone.getByLabel('Password', { exact: true }).fill(user.password)
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
  await phone.waitForURL(`${web}/live`)
  await phone.getByText('Connected', { exact: true }).nth(1).waitFor()
  await scrollTo(phone.getByRole('region', { name: 'Server-sent events' }))
}

async function isSignedOut(phone: Page) {
  const alert = phone.getByText('This device was signed out')
  await alert.waitFor()
  for (const title of ['Server-sent events', 'WebSocket']) {
    const panel = phone.getByRole('region', { name: title })
    await panel.getByText('Ended', { exact: true }).waitFor()
  }
}

/** To the top of the window, with some space above it. */
function scrollTo(locator: ReturnType<Page['getByRole']>) {
  return locator.evaluate((node) => scrollBy(0, node.getBoundingClientRect().top - 48))
}

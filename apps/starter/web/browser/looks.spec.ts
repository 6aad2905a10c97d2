import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

const tops = (page: Page) =>
  page.locator('h2, h3').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))

it('nothing on Security moves when what it shows has loaded', async () => {
  const { page, web } = await signedInVisitor(await app.api.createUser())
  await page.setViewportSize({ width: 375, height: 800 })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/rpc/**', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${web}/account/security`)
  await page.getByRole('heading', { name: 'Your data', exact: true }).waitFor()
  const before = await tops(page)
  held.resolve()
  await whenLoaded(page)
  await page.getByText('It is off.').waitFor()
  expect(await tops(page)).toEqual(before)
})

it('a relative time has the exact one in the reader’s own zone', async () => {
  const visitor = await signedInVisitor(await app.api.createUser())
  const context = await app.browser.newContext({ timezoneId: 'Asia/Seoul' })
  onTestFinished(() => context.close())
  await context.addCookies(await visitor.context.cookies())
  const page = await context.newPage()
  await page.goto(`${app.web}/account/devices`)
  const since = page.getByRole('region', { name: 'This device' }).locator('time[title$="GMT+9"]')
  await since.first().waitFor()
  expect(await since.first().textContent()).toMatch(/^just now \(.* GMT\+9\)$/)
})

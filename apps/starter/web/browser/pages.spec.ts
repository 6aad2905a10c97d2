import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { ask } from './ask.ts'
import {
  consentPage,
  guardedPages,
  invitationPages,
  keepFactorPage,
  linkPages,
  logoutPage,
  openPages,
  undoPage,
} from './pages.ts'
import { app } from './running-web-app.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

const superadmin = await app.api.createUser({ role: 'superadmin' })

const asStranger = openPages.map((path) => [path, 'a stranger'] as const)
const asSuperadmin = ['/', consentPage, ...guardedPages].map(
  (path) => [path, 'a superadmin'] as const,
)

const mailedPages = [...linkPages, undoPage, keepFactorPage, ...invitationPages]

/** Opens a page and keeps what the browser had to complain about. */
async function openAs(who: 'a stranger' | 'a superadmin', path: string) {
  const { page, open } =
    who === 'a stranger' ? await newVisitor() : await signedInVisitor(superadmin)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) complaints.push(line.text())
  })
  const answer = await open(path)
  // A page with a stream is never without a connection, and a busy one may never be idle.
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })),
  )
  return { page, answer, complaints }
}

/** A browser complains of a status that the page is meant to have. */
const ofStatus = (path: string) =>
  `Failed to load resource: the server responded with a status of ${path === consentPage ? 400 : 404}`

describe('every page', () => {
  it.each(orFew([...asStranger, ...asSuperadmin], 16))(
    'holds its policy, and is accessible: %s for %s',
    async (path, who) => {
      const { page, answer, complaints } = await openAs(who, path)
      expect(complaints.filter((text) => !text.includes(ofStatus(path)))).toEqual([])
      const headers = answer?.headers() ?? {}
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': [...mailedPages, consentPage, logoutPage].includes(path)
          ? 'no-referrer'
          : 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
      })
      expect(headers).not.toHaveProperty('x-powered-by')
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toMatch(/script-src 'self' 'nonce-[\w-]{20,}' 'strict-dynamic';/)
      expect(policy).toContain(`default-src 'self';`)
      expect(policy).toContain(`frame-ancestors 'none'`)
      expect(policy).not.toContain('unsafe')

      expect(await page.locator('h1').count()).toBe(1)
      expect(await unnamed(page)).toEqual([])
      expect(await isReachedByTab(page)).toBe(true)
      for (const width of [375, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect({ width, overflow }).toEqual({ width, overflow: 0 })
      }
    },
  )

  it.each([
    ['/nowhere', {}],
    ['/api/nowhere', {}],
    ['/_next/nowhere', {}],
    ['/icon.svgx', {}],
    ['/login', { purpose: 'prefetch' }],
  ])('has a policy where it is missing or fetched ahead: %s %j', async (path, asked) => {
    const { headers } = await ask(path, asked)
    expect(headers['content-security-policy']).toContain(`frame-ancestors 'none'`)
  })

  it('is alone in having one of its own where a mailed link opens it', async () => {
    const { headers } = await ask('/account/revoke-all?token=none')
    expect(headers['content-security-policy']).toContain(`default-src 'none'`)
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cache-control']).toBe('no-store')
  })

  it('is kept by no cache where an agent asks in its address', async () => {
    const { headers } = await ask(consentPage)
    expect(headers['cache-control']).toContain('no-store')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  it('fetches nothing as an image proxy', async () => {
    const { status } = await ask('/_next/image?url=%2F_auth%2Fsession&w=64&q=75')
    expect(status).toBe(404)
  })

  it('runs no script that an attacker wrote into it', async () => {
    const { page, open } = await newVisitor()
    await open('/')
    const [directive, ran] = await page.evaluate(async () => {
      const refused = new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
          resolve(effectiveDirective),
        ),
      )
      document.body.insertAdjacentHTML('beforeend', '<img src=/x onerror="window.ran = true">')
      return [await refused, 'ran' in window] as const
    })
    expect({ directive, ran }).toEqual({ directive: 'script-src-attr', ran: false })
  })
})

/** What can be filled in or pressed and has no name. */
function unnamed(page: Page) {
  return page.evaluate(() => {
    const named = (element: Element) =>
      element.getAttribute('aria-label') ??
      document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent ??
      [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent).join('')
    const fields = [...document.querySelectorAll('input:not([hidden]), textarea, select')]
    const pressed = [...document.querySelectorAll('a, button, summary')]
    return [
      ...fields.filter((element) => !named(element)?.trim()),
      ...pressed.filter((element) => !(named(element) || element.textContent)?.trim()),
    ].map((element) => element.outerHTML)
  })
}

/** Whether Tab comes to everything in the page's order, and shows where it is; last to the page's main action. */
async function isReachedByTab(page: Page) {
  const action = 'main button:not([aria-disabled=true]), main a'
  if ((await page.locator(action).count()) === 0) return true
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate((main) => {
      const element = document.activeElement ?? document.body
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const isShown = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
      return { isShown, isAction: element.matches(main), html: element.outerHTML }
    }, action)
    expect(at).toMatchObject({ isShown: true })
    if (at.isAction) return true
  }
  return false
}

import { randomUUID } from 'node:crypto'
import type { Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { linkSentBy } from './mail.ts'
import { linkPages } from './pages.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

const signup = {
  template: 'signup-link',
  ask: async () => {
    const email = `${randomUUID()}@example.com`
    return { email, call: () => app.api.call('requestSignupLink', { email }) }
  },
} as const

const reset = {
  template: 'password-reset',
  ask: async () => {
    const { email } = await app.api.createUser()
    return { email, call: () => app.api.call('requestPasswordReset', { email }) }
  },
} as const

async function mailed({ template, ask }: typeof signup | typeof reset) {
  const { email, call } = await ask()
  const link = await linkSentBy(call, email, template)
  const token = new URL(link, app.web).searchParams.get('token') ?? ''
  return { email, link, token }
}

/** What a mail program does with a link before a person sees it. */
async function scan(link: string) {
  for (const method of ['GET', 'HEAD']) {
    for (let times = 0; times < 20; times += 1) {
      expect((await fetch(`${app.web}${link}`, { method })).status).toBe(200)
    }
  }
  for (const javaScriptEnabled of [false, true]) {
    const context = await app.browser.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    await page.goto(`${app.web}${link}`, { waitUntil: 'networkidle' })
    await whenLoaded(page)
    await context.close()
  }
}

describe.each(orFew([signup, reset]))('a mailed link: $template', (flow) => {
  it('is spent by a person alone: scanners open it, and change nothing (A-182)', async () => {
    const { email, link } = await mailed(flow)
    await scan(link)
    const { open, click, see, page } = await newVisitor()
    await open(link)
    await click('Continue')
    await see(email)
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(1)
  })

  it('leaves its token in no address and no Referer, and its secret in nothing to read (A-182, A-329)', async () => {
    const { email, link, token } = await mailed(flow)
    const { page, web, context, open, click, see } = await newVisitor()
    const requests: Request[] = []
    page.on('request', (request) => requests.push(request))
    const answer = await open(link)
    expect(answer?.headers()).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': expect.stringContaining('no-store'),
    })
    await page.waitForURL(`${web}${new URL(link, web).pathname}`)
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(token)
    await click('Continue')
    await see(email)
    const confirmed = requests.find((request) => request.url().includes('/api/rpc/confirm'))
    expect(await (await confirmed?.response())?.json()).toEqual({ email, returnPath: '/' })

    // By whole pages: Next loses a step back that is taken while a page of its own is on its way.
    await open('/login')
    await page.goBack()
    await see(email)
    expect(page.url()).not.toContain(token)

    const setup = (await context.cookies()).find(({ name }) => name.endsWith('_setup'))
    expect(setup).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    const readable = await page.evaluate(() =>
      JSON.stringify([document.cookie, localStorage, sessionStorage, history.state]),
    )
    expect(readable).not.toContain(token)
    for (const text of [readable, await page.content()]) {
      expect(text).not.toContain(setup?.value ?? 'none')
    }

    await page.getByRole('main').getByRole('link').first().click()
    await page.waitForURL(/\/login/)
    for (const request of requests.slice(1)) {
      expect(request.url()).not.toContain(token)
      expect(await request.headerValue('referer')).toBeOneOf([null, '', `${web}/login`])
    }
  })
})

describe('a page that mailed links lead to', () => {
  it.each(orFew(linkPages))(
    '%s offers another link to a user without one, and to one with a wrong one',
    async (path) => {
      const { open, see, click, fill } = await newVisitor()
      await open(path)
      await see('This page needs a link')
      await open(`${path}?token=${'x'.repeat(43)}`)
      await click('Continue')
      await see('This link no longer works')
      await fill('Email', `${randomUUID()}@example.com`)
      await click('Send link')
      await see('Check your mail')
    },
  )
})

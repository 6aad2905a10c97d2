import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callRpc, cookiesOf } from './ask.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

const admin = await app.api.createUser({ role: 'admin' })

async function noticesSaying(text: string) {
  const answer = await app.api.fetch('/notices?limit=100')
  const { data }: { data: { text: string }[] } = await answer.json()
  return data.filter((notice) => notice.text === text).length
}

/** An attacker's server. Cookies go along from a page of the same host, on any port. */
async function startOtherSite() {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html').end('<title>Another site</title>')
  }).listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  server.unref()
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  return { crossSite: `http://127.0.0.1:${port}`, sameSite: `http://localhost:${port}` }
}

/** Sends a form whose text is JSON, as any page can. */
function submitForm(url: string) {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: url, enctype: 'text/plain' })
  const field = document.createElement('input')
  Object.assign(field, { name: '{"body":{"text":"Forged","a":"', value: '"}}' })
  form.append(field)
  document.body.append(form)
  form.submit()
}

/** Sends what scripts of a page can send to another origin, and says what came of each. */
function sendFetches(url: string) {
  const body = JSON.stringify({ body: { text: 'Forged' } })
  const attempts: RequestInit[] = [
    { mode: 'no-cors', headers: { 'content-type': 'text/plain' } },
    { mode: 'no-cors' },
    { headers: { 'content-type': 'application/json' } },
    { headers: { 'content-type': 'application/json', 'x-svc-csrf': '0'.repeat(64) } },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ]
  const send = (attempt: RequestInit) =>
    fetch(url, { ...attempt, method: 'POST', credentials: 'include', body }).then(
      ({ type, status }) => `${type} ${status}`,
      () => 'refused by the browser',
    )
  return Promise.all(attempts.map(send))
}

describe('another site', () => {
  it.each(['crossSite', 'sameSite'] as const)(
    'changes nothing for a user who is signed in here: %s (A-337, A-342)',
    async (which) => {
      const { context, page, web, signIn } = await newVisitor()
      await signIn(admin)
      await page.waitForURL(`${web}/`)
      const other = await context.newPage()
      await other.goto((await startOtherSite())[which])
      const url = `${web}/api/rpc/createNotice`
      const outcomes = await other.evaluate(sendFetches, url)
      // What the browser let through it does not let the page read.
      expect(new Set(outcomes)).toEqual(new Set(['opaque 0', 'refused by the browser']))
      await Promise.all([other.waitForURL(url), other.evaluate(submitForm, url)])
      await other.goto(`${url}?input=${encodeURIComponent('{"body":{"text":"Forged"}}')}`)

      expect(await noticesSaying('Forged')).toBe(0)
      await page.getByRole('textbox', { name: 'New notice' }).fill(`Own beside ${which}`)
      await page.getByRole('button', { name: 'Post' }).click()
      await page.getByText('Your notice is on the board.').waitFor()
      expect(await noticesSaying(`Own beside ${which}`)).toBe(1)
    },
  )

  it('may read no answer', async () => {
    const cookie = await cookiesOf(admin)
    const headers = { cookie, origin: 'http://evil.test' }
    const answer = await callRpc('getAuthSession', undefined, headers)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a call without the token of its page', () => {
  it('is refused, and the page is given the token again (A-341, A-345)', async () => {
    const cookie = await cookiesOf(admin)
    const answer = await callRpc('createNotice', { text: 'Forged' }, { cookie })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({
      error: 'Forbidden',
      message: 'CSRF token missing or invalid',
    })
    expect(answer.headers.getSetCookie().join()).toContain('svc_csrf=')
    expect(await noticesSaying('Forged')).toBe(0)
  })
})

import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { leaveNode, startTestWeb } from '../test-browser.ts'

beforeEach(leaveNode)
const web = await startTestWeb()
const { api } = web
afterAll(api.stop)

async function signedIn() {
  const user = await api.createUser()
  const page = web.browser()
  await page.call('login', user)
  return { user, page }
}

describe('a deletion that is asked for', () => {
  it('ends the session in the same answer, and no other account’s (A-160)', async () => {
    const [{ user, page }, other] = await Promise.all([signedIn(), signedIn()])
    const answer = await page.call('requestAccountDeletion', { password: user.password })
    expect(await answer.json()).toEqual({ purgeScheduledAt: expect.any(String) })
    expect(answer.headers.getSetCookie()).toEqual([
      'svc_session=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly',
      'svc_csrf=; Path=/; Max-Age=0; SameSite=Lax',
    ])
    expect((await other.page.call('getAuthSession')).status).toBe(200)
  })

  it('leaves the session where it was refused, or the API did not answer', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, page } = await signedIn()
    const wrong = await page.call('requestAccountDeletion', { password: 'not the password' })
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
    vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new Error('down'))
    const down = await page.call('requestAccountDeletion', { password: user.password })
    expect([down.status, down.headers.getSetCookie()]).toEqual([503, []])
    expect((await page.call('getAuthSession')).status).toBe(200)
  })
})

describe('a deletion that is taken back', () => {
  it('is asked for without a session, and makes none (A-161)', async () => {
    const { user, page } = await signedIn()
    const { email, password } = user
    await page.call('requestAccountDeletion', { password })
    const pending = await page.call('login', user)
    expect(await pending.json()).toMatchObject({ __type: 'AccountPendingDeletionError' })
    const answer = await page.call('cancelAccountDeletion', { email, password })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([204, []])
    expect((await page.call('login', user)).status).toBe(200)
  })
})

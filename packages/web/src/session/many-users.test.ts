import { afterAll, expect, it } from 'vitest'
import { startTestWeb, type TestBrowser } from '../test-browser.ts'

const web = await startTestWeb()
afterAll(web.api.stop)

const tabs = 64

interface User {
  userId: string
  email: string
  password: string
}

/** One call of a tab, which has the cookies that its browser has by then. Resolves to the keys it was shown. */
async function act(page: TestBrowser, user: User, turn: number): Promise<string[]> {
  if (turn % 24 === 5) return done(page.call('rotateKey', {}))
  if (turn % 96 === 17) return done(page.call('logout'))
  if (turn % 24 === 11) return done(page.call('login', user))
  const name = turn % 2 === 0 ? 'getAuthSession' : 'listKeys'
  const answer = await page.call(name, name === 'listKeys' ? {} : undefined)
  const body = await answer.json()
  // The key was replaced in the meantime, or the user is signed out for a moment.
  if (answer.status === 401) return []
  expect(answer.status).toBe(200)
  if (name === 'getAuthSession') expect(body.userId).toBe(user.userId)
  return name === 'listKeys' ? body.keys.map((key: { keyId: string }) => key.keyId) : [body.keyId]
}

async function done(call: Promise<Response>) {
  await call
  return []
}

/** A browser with 64 tabs of one person, each of which does one thing after the other. */
async function live(user: User) {
  const page = web.browser()
  expect((await page.call('login', user)).status).toBe(200)
  const shown = Array.from({ length: tabs }, async (_, tab) => {
    const keys = []
    for (let time = 0; time < 3; time++) keys.push(...(await act(page, user, tab + time * 7)))
    return keys
  })
  return new Set((await Promise.all(shown)).flat())
}

it('people in one process never see each other’s answers or keys, 64 calls of each at once', async () => {
  const people = [await web.api.createUser(), await web.api.createUser()]
  web.api.clock.set(new Date())
  const shown = await Promise.all(people.map(live))
  for (const [index, { userId }] of people.entries()) {
    const own = new Set((await web.api.keysOf(userId)).map(({ keyId }) => keyId))
    const seen = [...(shown[index] ?? [])]
    expect(seen.filter((keyId) => !own.has(keyId))).toEqual([])
    // They were really signing in, out and rotating meanwhile.
    expect(seen.length).toBeGreaterThan(3)
  }
}, 60_000)

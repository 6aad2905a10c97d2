import { defineRouter, route, routeMapOf } from '@svc/core'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { startTestWeb } from '../test-browser.ts'

const router = defineRouter({
  // Wrongly: it is the caller's own.
  mine: route.get('/mine').handler((c) =>
    c.json({ of: c.raw.incoming.headers.authorization }, 200, {
      'cache-control': 'public, max-age=600',
    }),
  ),
  news: route
    .get('/news')
    .skip(['auth'])
    .handler((c) => c.json({ made: made++ }, 200, { 'cache-control': 'public, max-age=600' })),
  greeted: route
    .get('/greeted')
    .skip(['auth'])
    .handler((c) =>
      c.json({ made: made++ }, 200, {
        'cache-control': 'public, max-age=600',
        'set-cookie': 'greeted=1',
      }),
    ),
})
let made = 0
const web = await startTestWeb({ router, routeMap: routeMapOf(router) })
afterAll(web.api.stop)
beforeEach(() => cache.clear())

interface Kept {
  answer: Response
  vary: Record<string, string | null>
}
const cache = new Map<string, Kept[]>()

/** A cache between browsers and the web app, as RFC 9111 has a shared one. */
async function get(name: string, cookie: string) {
  const request = new Request(`http://web.test/api/rpc/${name}`, { headers: { cookie } })
  const kept = cache
    .get(request.url)
    ?.find(({ vary }) =>
      Object.entries(vary).every(([header, value]) => request.headers.get(header) === value),
    )
  if (kept) return kept.answer.clone()
  const answer = await web.proxy.GET(request)
  if (/no-store|private/.test(answer.headers.get('cache-control') ?? '')) return answer
  const names = (answer.headers.get('vary') ?? '').split(/, */).filter(Boolean)
  const vary = Object.fromEntries(names.map((header) => [header, request.headers.get(header)]))
  cache.set(request.url, [...(cache.get(request.url) ?? []), { answer: answer.clone(), vary }])
  return answer
}

async function person() {
  const user = await web.api.createUser()
  const page = web.browser()
  const answer = await page.call('login', user)
  return { ...user, answer, cookie: page.cookieHeader() }
}

const rules = ({ headers }: Response) => [headers.get('cache-control'), headers.get('vary')]

it('two people behind one cache never get each other’s answers', async () => {
  const [a, b] = [await person(), await person()]
  for (const each of [a, b, a]) {
    expect(await (await get('getAuthSession', each.cookie)).json()).toMatchObject({
      email: each.email,
    })
  }
  const bodies = [a, b, a].map(async ({ cookie }) => (await get('mine', cookie)).text())
  expect(new Set(await Promise.all(bodies)).size).toBe(3)
  expect((await get('getAuthSession', '')).status).toBe(401)
  expect(cache.size).toBe(0)
})

it('an answer with a cookie, or to a signed-in user, is kept by no cache', async () => {
  const { answer, cookie } = await person()
  expect(rules(answer)).toEqual(['no-store', 'Cookie'])
  for (const name of ['getAuthSession', 'mine', 'news', 'greeted']) {
    expect([name, ...rules(await get(name, cookie))]).toEqual([name, 'no-store', 'Cookie'])
  }
  expect(rules(await get('greeted', ''))).toEqual(['no-store', 'Cookie'])
  expect(rules(await get('getAuthSession', ''))).toEqual(['no-store', 'Cookie'])
})

it('what is for all may be kept for users who are not signed in', async () => {
  const { cookie } = await person()
  const first = await (await get('news', '')).json()
  expect(await (await get('news', '')).json()).toEqual(first)
  expect(await (await get('news', cookie)).json()).not.toEqual(first)
})

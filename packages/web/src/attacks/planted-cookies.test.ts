import { afterAll, describe, expect, it } from 'vitest'
import { startTestWeb } from '../test-browser.ts'

// Over https, where the prefix keeps out what other hosts of the domain set.
const web = await startTestWeb({ webEnv: { SVC_AUTH_COOKIE_SECURE: 'true' } })
afterAll(web.api.stop)

async function session() {
  const user = await web.api.createUser()
  const page = web.browser()
  await page.call('login', user)
  return { ...user, page, value: page.cookies.get('__Host-svc_session') ?? '' }
}

const attacker = await session()

const ask = (cookie: string) =>
  web.proxy.GET(new Request('http://web.test/api/rpc/getAuthSession', { headers: { cookie } }))

// A browser takes none of these for the prefixed name, so that a sibling host may set it for the whole domain. The last
// are single spaces as they arrive when bytes are read as Latin-1 or as UTF-8.
const disguises = [
  'svc_session=',
  '__host-svc_session=',
  '__HOST-SVC_SESSION=',
  '__Secure-svc_session=',
  '__Host-svc_session =',
  '__Host-svc_session\t=',
  '"__Host-svc_session"=',
  '$Version=1,__Host-svc_session=',
  '%5F_Host-svc_session=',
  '\u00a0__Host-svc_session=',
  '\u0085__Host-svc_session=',
  '\u00c2\u00a0__Host-svc_session=',
  '\u00e2\u0080\u0080__Host-svc_session=',
]

describe('a session that a sibling host has planted', () => {
  it('would sign in under the name itself', async () => {
    expect((await ask(`__Host-svc_session=${attacker.value}`)).status).toBe(200)
  })

  it.each(disguises)('is not accepted under %j (A-334)', async (start) => {
    expect((await ask(`${start}${attacker.value}`)).status).toBe(401)
    expect((await ask(`a=b; ${start}${attacker.value}; c=d`)).status).toBe(401)
  })

  it.each(disguises)('does not stand in the way of the owner’s under %j', async (start) => {
    const victim = await session()
    const own = `__Host-svc_session=${victim.value}`
    for (const cookie of [`${start}${attacker.value}; ${own}`, `${own}; ${start}x`]) {
      expect(await (await ask(cookie)).json()).toMatchObject({ email: victim.email })
    }
  })
})

it('one beside the token’s cookie changes no session, and lets nothing through (A-337)', async () => {
  const victim = await session()
  const planted = attacker.page.cookies.get('svc_csrf') ?? ''
  const sent = {
    'x-svc-csrf': planted,
    cookie: `svc_csrf=${planted}; ${victim.page.cookieHeader()}`,
  }
  expect((await victim.page.send('logout', undefined, sent)).status).toBe(403)
  expect(await (await ask(victim.page.cookieHeader())).json()).toMatchObject({
    email: victim.email,
  })
})

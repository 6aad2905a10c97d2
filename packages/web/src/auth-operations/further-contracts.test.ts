import { clientOf, createAuthApi } from '@svc/auth'
import {
  allow,
  defineContract,
  keyFields,
  keyRefusals,
  knownBrowserInput,
  LoginResult,
  limitRefusals,
  perMinute,
} from '@svc/auth/contract'
import {
  answerSignIn,
  checkNewKey,
  defineCapability,
  findGeneration,
  type HeldBy,
  knownBrowserHeader,
  lockAccount,
  type RequestOrigin,
} from '@svc/auth/server'
import { type RouteMapEntry, UnauthorizedError } from '@svc/core/client'
import { type OutputOf, route, t } from '@svc/core/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { authInterceptors, createRpcProxy } from '../proxy.ts'
import { Sealer } from '../session/sealer.ts'
import { startTestWeb, testSecret } from '../test-browser.ts'

const NewCard = t.Object({ setupSecret: t.String(), ...keyFields })

/** A way to sign in that an application has of its own: the number of a card is a user's id. */
const cards = defineContract('cards', {
  operations: {
    signInByCard: allow.public('card by address')(
      route
        .post('/_auth/cards/sign-in')
        .input({
          headers: knownBrowserInput,
          body: t.Object({ number: t.String(), ...keyFields }),
        })
        .answer(LoginResult, 200, 202)
        .errors(UnauthorizedError, ...keyRefusals, ...limitRefusals),
    ),
    openCard: allow.public('card by address')(
      route
        .post('/_auth/cards/open')
        .input({ body: t.Object({ number: t.String() }) })
        .answer(
          t.Object({ issuer: t.String(), setupSecret: t.String(), setupExpiresAt: t.String() }),
        )
        .errors(...limitRefusals),
    ),
    finishCard: allow.setup('card by address')(
      route
        .post('/_auth/cards/finish')
        .input({ body: NewCard })
        .answer(LoginResult, 200, 202)
        .errors(UnauthorizedError, ...keyRefusals, ...limitRefusals),
    ),
    readCard: allow.bearer('owner only')(
      route
        .get('/_auth/cards/:number/:side')
        .input({
          params: t.Object({ number: t.String(), side: t.String() }),
          query: t.Object({ after: t.Optional(t.String()) }),
        })
        .answer(t.Object({ read: t.String() })),
    ),
    blockCards: allow.bearer('owner only')(
      route.post('/_auth/cards/block').answer(t.Object({ selfRevoked: t.Boolean() })),
    ),
  },
  limits: { 'card by address': perMinute(100) },
  browser: {
    signInByCard: 'signs in',
    openCard: 'opens setup new_card',
    finishCard: 'finishes setup new_card',
    blockCards: 'ends keys',
  },
})

/** What `svc generate` writes. */
const cardRoutes = cards.routeMap as Record<keyof typeof cards.operations, RouteMapEntry>

interface Own {
  readonly secrets: Map<string, string>
}

type Key = Omit<OutputOf<typeof NewCard>, 'setupSecret'>

/** What has reached the API, by operation. */
const seen = new Map<string, object>()

const cardCapability = defineCapability(cards, {
  open: (): Own => ({ secrets: new Map() }),
  handlers: {
    signInByCard: async ({ auth, body: { number, ...key }, headers, origin, c }) => {
      seen.set('signInByCard', { key, known: headers[knownBrowserHeader] })
      return answerSignIn(c, await signInAs(auth, { userId: number, key, origin }))
    },
    openCard: ({ auth, body }) => {
      auth.secrets.set('the secret of the card', body.number)
      const setupExpiresAt = new Date(Date.now() + 60_000).toISOString()
      return { issuer: 'A bank', setupSecret: 'the secret of the card', setupExpiresAt }
    },
    finishCard: async ({ auth, body: { setupSecret, ...key }, origin, c }) => {
      seen.set('finishCard', { key })
      const userId = auth.secrets.get(setupSecret)
      if (!userId) throw new UnauthorizedError({ message: 'The card is not new.' })
      return answerSignIn(c, await signInAs(auth, { userId, key, origin }))
    },
    readCard: ({ params: { number, side }, query: { after = '' }, caller }) => ({
      read: `${number} ${side} ${after} of ${caller.userId}`,
    }),
    blockCards: ({ auth, caller }) =>
      auth.db.transaction(async (tx) => {
        const account = await lockAccount(tx, caller.userId)
        if (!account) throw new UnauthorizedError()
        const reason = 'card_blocked'
        const now = auth.clock.now()
        await auth.ways.signOutEverywhere(tx, { account, spare: null, reason, now })
        return { selfRevoked: true }
      }),
  },
})

interface CardSignIn {
  readonly userId: string
  readonly key: Key
  readonly origin: RequestOrigin
}

function signInAs(
  { db, clock, ways }: HeldBy<typeof cards, { own: Own }>,
  { userId, key, origin }: CardSignIn,
) {
  return db.transaction(async (tx) => {
    const account = await findGeneration(tx, userId)
    if (!account) throw new UnauthorizedError()
    const checked = checkNewKey(key)
    return ways.completeSignIn(tx, {
      ...account,
      key: checked,
      origin,
      provider: 'card',
      now: clock.now(),
    })
  })
}

const web = await startTestWeb({ options: { capabilities: [cardCapability] } })
afterAll(web.api.stop)

const sealer = new Sealer(testSecret)

async function signedIn() {
  const user = await web.api.createUser()
  const page = web.browser()
  const answer = await page.call('signInByCard', { number: user.userId })
  return { user, page, answer }
}

describe('an operation of a capability that an application has', () => {
  it('that signs in gets a key of the proxy, and a session in a cookie (A-326, A-328)', async () => {
    const user = await web.api.createUser()
    const page = web.browser()
    const theirs = { keyId: 'a-key-of-the-page', publicKey: 'theirs' }
    const answer = await page.call('signInByCard', { number: user.userId, ...theirs })
    expect([answer.status, (await answer.json()).userId]).toEqual([200, user.userId])

    const session = await sealer.open('session', page.cookies.get('svc_session') ?? '', Date.now())
    expect(seen.get('signInByCard')).toMatchObject({
      key: { keyId: session?.content.keyId, platform: 'web' },
    })
    const asked = await page.call('getAuthSession')
    expect([asked.status, (await asked.json()).userId]).toEqual([200, user.userId])
  })

  it('keeps the token of a known browser from the page, and shows it to the API', async () => {
    const { user, page, answer } = await signedIn()
    expect(await answer.json()).not.toHaveProperty('knownBrowser')
    expect(page.cookies.has('svc_known')).toBe(true)
    await page.call('signInByCard', { number: user.userId })
    expect(seen.get('signInByCard')).toMatchObject({ known: expect.stringMatching(/.{20,}/) })
    await web.browser().call('signInByCard', { number: user.userId })
    expect(seen.get('signInByCard')).toMatchObject({ known: undefined })
  })

  it('that ends the key of the session ends the session', async () => {
    const { page } = await signedIn()
    const answer = await page.call('blockCards')
    expect([answer.status, await answer.json()]).toEqual([200, { selfRevoked: true }])
    expect(page.cookies.has('svc_session')).toBe(false)
  })

  it('has the parts of its path and its query filled in by the proxy', async () => {
    const { user, page } = await signedIn()
    const api = createAuthApi({
      proxy: 'http://web.test/api/rpc',
      clients: [clientOf<typeof cards>({ routeMap: cardRoutes })],
      fetch: async (url, init) => {
        const request = new Request(url, init)
        request.headers.set('cookie', page.cookieHeader())
        return page.keep(await web.proxy[request.method === 'GET' ? 'GET' : 'POST'](request))
      },
    })
    const params = { number: 'a b?c', side: 'ü&d' }
    const read = { read: `a b?c ü&d é of ${user.userId}` }
    expect(await api.readCard.call({ params, query: { after: 'é' } })).toEqual(read)
  })

  it('is refused without the token of the page, as ours are', async () => {
    const { page } = await signedIn()
    expect((await page.send('blockCards')).status).toBe(403)
    expect((await page.call('getAuthSession')).status).toBe(200)
  })
})

describe('a setup of a capability that an application has', () => {
  async function opened() {
    const user = await web.api.createUser()
    const page = web.browser()
    const answer = await page.call('openCard', { number: user.userId })
    return { user, page, answer }
  }

  it('keeps its secret in a cookie of its own, out of the answer (A-320, A-329)', async () => {
    const { page, answer } = await opened()
    expect(await answer.json()).toEqual({ issuer: 'A bank' })
    const [set = ''] = answer.headers.getSetCookie()
    expect(set).toContain('HttpOnly')
    const value = page.cookies.get('svc_new_card_setup') ?? ''
    expect(await sealer.open('new card setup', value, Date.now())).toMatchObject({
      content: { setupSecret: 'the secret of the card', email: '', returnPath: '' },
    })
    expect(await sealer.open('signup setup', value, Date.now())).toBeNull()
  })

  it('is finished with that secret and a key of the proxy, once', async () => {
    const { user, page } = await opened()
    const theirs = { setupSecret: 'theirs', keyId: 'a-key-of-the-page' }
    const answer = await page.call('finishCard', theirs)
    expect([answer.status, (await answer.json()).userId]).toEqual([200, user.userId])
    expect(seen.get('finishCard')).not.toMatchObject({ key: { keyId: theirs.keyId } })
    expect(page.cookies.has('svc_session')).toBe(true)
    expect(page.cookies.has('svc_new_card_setup')).toBe(false)
    expect((await web.browser().call('finishCard', {})).status).toBe(401)
  })

  it('does not take the secret of another setup', async () => {
    const { page } = await opened()
    const value = page.cookies.get('svc_new_card_setup') ?? ''
    const cookie = `svc_signup_setup=${value}; svc_password_reset_setup=${value}`
    for (const name of ['completeSignup', 'completePasswordReset']) {
      const answer = await web.browser().send(name, { password: 'long enough' }, { cookie })
      expect(answer.status).toBe(401)
    }
  })
})

describe('contracts that cannot be beside ours', () => {
  const logout = allow.bearer('owner only')(route.post('/_auth/other/logout'))

  it('are refused when the proxy is made', () => {
    const other = defineContract('other', { operations: { logout } })
    const said = 'the contract other has the operation logout'
    expect(() => authInterceptors({ env: web.env, contracts: [other] })).toThrow(said)
    const routeMap = { logout: { method: 'POST', path: '/_auth/logout' } } as const
    expect(() => createRpcProxy({ routeMap, contracts: [other], env: web.env })).toThrow(
      'the operation logout is at /_auth/other/logout in the contracts, and at /_auth/logout',
    )
  })

  it('are refused for the name of a setup that no cookie can have', () => {
    const browser = { leave: 'opens setup a;b' } as const
    const odd = defineContract('other', { operations: { leave: logout }, browser })
    expect(() => authInterceptors({ env: web.env, contracts: [odd] })).toThrow('called "a;b"')
  })
})

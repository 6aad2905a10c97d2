import { HttpError, route, t } from '@svc/core/contract'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { InvalidCredentialsError } from './accounts/errors.ts'
import { createAuthApi } from './auth-api.ts'
import * as inPages from './browser.ts'
import { defineCapability } from './capability/capability.ts'
import { clientOf } from './capability/client.ts'
import { allow, defineContract } from './capability/contract.ts'
import * as everywhere from './index.ts'
import { startTestAuth } from './testing.ts'

class CardLostError extends HttpError {
  readonly name = 'CardLostError'
  readonly status = 410
}

const card = defineContract('card', {
  operations: {
    showCard: allow.bearer('owner only')(
      route
        .get('/_auth/card')
        .answer(t.Object({ owner: t.String() }))
        .errors(CardLostError),
    ),
    loseCard: allow.bearer('owner only')(route.post('/_auth/card/lost')),
  },
  errors: [CardLostError],
})

const cardCapability = defineCapability(card, {
  open: () => ({ lost: new Set<string>() }),
  handlers: {
    showCard: ({ auth, caller }) => {
      if (auth.lost.has(caller.userId)) throw new CardLostError()
      return { owner: caller.userId }
    },
    loseCard: ({ auth, caller, c }) => {
      auth.lost.add(caller.userId)
      return c.noContent()
    },
  },
})

const cardClient = clientOf<typeof card>({
  routeMap: {
    showCard: { method: 'GET', path: '/_auth/card' },
    loseCard: { method: 'POST', path: '/_auth/card/lost' },
  },
  errors: [CardLostError],
})

const auth = await startTestAuth({ options: { capabilities: [cardCapability] } })
afterAll(auth.stop)

describe('createAuthApi({ clients })', () => {
  it('calls the operations of other capabilities beside ours, and gets their refusals as classes', async () => {
    const { key, userId } = await auth.signedInUser()
    const sign = auth.signerOf(key)
    const api = createAuthApi({ baseUrl: auth.url, sign, clients: [cardClient] })
    expect(await api.showCard.call()).toEqual({ owner: userId })
    await api.loseCard.call()
    await expect(api.showCard.call()).rejects.toBeInstanceOf(CardLostError)

    expect(await api.getAuthSession.call()).toMatchObject({ userId })
    const body = { email: 'a@example.com', password: 'wrong', ...key.registration }
    await expect(api.login.call({ body })).rejects.toBeInstanceOf(InvalidCredentialsError)
  })

  it('does not know them without their client', async () => {
    const api = createAuthApi({ baseUrl: auth.url })
    await expect(
      (api as unknown as Record<'showCard', { call: () => Promise<unknown> }>).showCard.call(),
    ).rejects.toThrow('"showCard" is not in the route map')
  })
})

describe('authApi, as a bundler for pages takes it', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('calls the RPC proxy of the web app (A-328), and its refusals are those of `@svc/auth`', async () => {
    const asked: unknown[] = []
    vi.stubGlobal('fetch', (url: unknown) => {
      asked.push(url)
      const answer = { __type: 'InvalidCredentialsError', message: 'Words.' }
      return Promise.resolve(Response.json(answer, { status: 401 }))
    })
    const body = { email: 'ada@example.com', password: 'wrong' }
    const refused = inPages.authApi.login.call({ body })
    await expect(refused).rejects.toBeInstanceOf(inPages.InvalidCredentialsError)
    await expect(refused).rejects.not.toBeInstanceOf(inPages.KeyExpiredError)
    expect(asked).toEqual(['/api/rpc/login'])
    expect(inPages.authApi).not.toBe(everywhere.authApi)
    expect(Object.keys(inPages).toSorted()).toEqual(Object.keys(everywhere).toSorted())
  })
})

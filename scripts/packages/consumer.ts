/**
 * A project of another developer: a server with a route and a capability of its own, code for a
 * browser, and a program that signs in and sends requests. Its exports have inferred types, whose
 * declarations may name only our entries.
 */
export const consumer = {
  'card-contract.ts': `import { allow, defineContract, keyFields, keyRefusals, LoginResult, limitRefusals, perMinute } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import { CardLostError } from './card-errors.ts'

export const cards = defineContract('cards', {
  operations: {
    signInByCard: allow.public('card by address')(
      route
        .post('/_auth/cards/sign-in')
        .input({ body: t.Object({ number: t.String(), ...keyFields }) })
        .answer(LoginResult, 200, 202)
        .errors(CardLostError, ...keyRefusals, ...limitRefusals),
    ),
    listCards: allow.bearer(route.get('/_auth/cards').answer(t.Object({ cards: t.Array(t.String()) }))),
  },
  errors: [CardLostError],
  limits: { 'card by address': perMinute(10) },
  browser: { signInByCard: 'signs in' },
})
`,
  'card-errors.ts': `import { HttpError } from '@svc/core/contract'

export class CardLostError extends HttpError {
  readonly name = 'CardLostError'
  readonly status = 410
}
`,
  'card.ts': `import { answerSignIn, checkNewKey, defineCapability, findGeneration, type HeldBy } from '@svc/auth/server'
import { cards } from './card-contract.ts'
import { CardLostError } from './card-errors.ts'

export type CardHeld = HeldBy<typeof cards, { own: { lost: Set<string> }; acts: 'card.used' }>
export const listOf = async (auth: CardHeld, userId: string) => (auth.lost.has(userId) ? [] : [userId])

export const cardCapability = () =>
  defineCapability(cards, {
    audit: ['card.used'],
    open: () => ({ lost: new Set<string>() }),
    handlers: {
      signInByCard: async ({ auth, body: { number, ...key }, origin, c }) => {
        const result = await auth.db.transaction(async (tx) => {
          const account = await findGeneration(tx, number)
          if (!account) throw new CardLostError()
          const now = auth.clock.now()
          await auth.audit(tx, 'card.used', { target: number, origin, at: now })
          return auth.ways.completeSignIn(tx, { ...account, key: checkNewKey(key), origin, provider: 'card', now })
        })
        return answerSignIn(c, result)
      },
      listCards: async ({ auth, caller }) => ({ cards: await listOf(auth, caller.userId) }),
    },
    account: { export: { cards: async (_db, { userId }) => [userId] } },
  })
`,
  'card-client.ts': `import { clientOf, createAuthApi } from '@svc/auth'
import type { cards } from './card-contract.ts'
import { CardLostError } from './card-errors.ts'

export const cardClient = clientOf<typeof cards>({
  routeMap: {
    signInByCard: { method: 'POST', path: '/_auth/cards/sign-in' },
    listCards: { method: 'GET', path: '/_auth/cards' },
  },
  errors: [CardLostError],
})
export const directApi = createAuthApi({ clients: [cardClient] })
export const pageApi = createAuthApi({ clients: [cardClient], proxy: '/api/rpc' })
export const signIn = (number: string) => pageApi.signInByCard.call({ body: { number } })
export const trySignIn = (number: string) => pageApi.signInByCard.try({ body: { number } })
export const tryLogin = directApi.login.try
// @ts-expect-error -- it has a key of its own
export const withoutKey = () => directApi.signInByCard.call({ body: { number: '1' } })
`,
  'card-proxy.ts': `import { authRouteMap } from '@svc/auth'
import { authInterceptors, createRpcProxy } from '@svc/web/proxy'
import { cards } from './card-contract.ts'

export const proxyOf = (env: Record<string, string>) =>
  createRpcProxy({
    routeMap: authRouteMap,
    contracts: [cards],
    interceptors: [authInterceptors({ env, contracts: [cards] })],
    env,
  })
`,
  'server.ts': `import { authenticate, createAuthLifecycle, createAuthRouter, getAuth } from '@svc/auth/server'
import { defineRouter, defineServer, route } from '@svc/core'
import { mailboxRouter } from '@svc/notification'
import { cardCapability } from './card.ts'
import { cards } from './card-contract.ts'

const whoAmI = route.get('/who').handler((c) => ({ userId: getAuth(c).userId }))
export const router = defineRouter({ whoAmI })
  .packages([createAuthRouter({ contracts: [cards] }), mailboxRouter])
  .use([authenticate])
export type Router = typeof router

export default defineServer()
  .lifecycle(createAuthLifecycle({ capabilities: [cardCapability()] }))
  .routes(router)
`,
  'browser.ts': `import { authApi, authErrors, createDeviceKey } from '@svc/auth'
import { createApi } from '@svc/core/client'
import { defineRouter, route, t } from '@svc/core/contract'
import { html } from '@svc/core/html'
import { createRpcProxy } from '@svc/web/proxy'
import type { Router } from './server.ts'

const routeMap = { whoAmI: { method: 'GET', path: '/who' } } as const
const api = createApi<Router>({ routeMap, proxy: '/api/rpc', errors: authErrors })
export const who: Promise<{ userId: string }> = api.whoAmI.call()
// @ts-expect-error -- it answers no name
export const name = who.then((answer) => answer.name)
export const others = { authApi, createDeviceKey, createRpcProxy, defineRouter, html, route, t }
`,
  'program.ts': `import { createAuthApi } from '@svc/auth'
import { startTestAuth } from '@svc/auth/testing'
import { cardClient } from './card-client.ts'
import * as entries from './entries.ts'
import server from './server.ts'

for (const [name, entry] of Object.entries(entries)) {
  if (Object.keys(entry).length === 0) throw new Error(name + ' exports nothing')
}
const auth = await startTestAuth({ definition: server })
try {
  const user = await auth.signedInUser()
  const sign = auth.signerOf(user.key)
  const url = auth.url + '/who'
  const headers = await sign({ method: 'GET', url, body: '' })
  const signed = await fetch(url, { headers })
  const stranger = await fetch(url)
  const api = createAuthApi({ baseUrl: auth.url, clients: [cardClient], sign: auth.signerOf(user.key) })
  const { cards } = await api.listCards.call()
  if (cards[0] !== user.userId) throw new Error('The capability answers ' + cards)
  console.log('signed', signed.status, (await signed.json()).userId === user.userId, 'stranger', stranger.status)
} finally {
  await auth.stop()
}
`,
}

/** Imports each entry by its name, and all of them in one file. */
export function entriesFile(names: readonly string[]) {
  return names
    .map((name) => `export * as ${name.replaceAll(/\W+/g, '_').replace(/^_/, '')} from '${name}'\n`)
    .join('')
}

export function compilerOptions(moduleResolution: 'nodenext' | 'bundler') {
  return {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
      moduleResolution,
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      allowImportingTsExtensions: true,
      // TypeScript can write declarations of its exports.
      declaration: true,
      noEmit: true,
    },
    include: ['*.ts'],
  }
}

import type { Handlers } from '../../capability/capability.ts'
import { answerSignIn } from '../../sign-in/sign-in.ts'
import type { SocialHeld, SocialNeeds } from '../held.ts'
import { handleCallback } from './callback.ts'
import type { browserOperations } from './contract.ts'
import { finalize } from './finalize.ts'
import { leave } from './leave.ts'

export { leave, readReturnUrl, requireProvider } from './leave.ts'
export {
  forgetEveryPending,
  forgetPending,
  forgetPendingBy,
  forgetPendingOf,
  waitForFinalize,
} from './pending.ts'
export { oauthPending } from './schema.ts'
export { stateKey } from './state.ts'

/** The address contains the code. */
const unkept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

export const browserHandlers: Handlers<typeof browserOperations, SocialHeld> = {
  providers: ({ auth }) => listProviders(auth),
  getGoogleOAuthUrl: async ({ auth, body, c }) => {
    const { authUrl, headers } = await leave(auth, { raw: c.raw, provider: 'google', ...body })
    return c.json({ authUrl }, 200, headers)
  },
  getProviderOAuthUrl: async ({ auth, params, body, c }) => {
    const { authUrl, headers } = await leave(auth, { raw: c.raw, ...params, ...body })
    return c.json({ authUrl }, 200, headers)
  },
  start: async ({ auth, body, c }) => {
    const { authUrl, headers } = await leave(auth, { raw: c.raw, ...body })
    return c.json({ authUrl }, 200, headers)
  },
  redirectToProvider: async ({ auth, params, query, c }) => {
    const { returnUrl = '/' } = query
    const { authUrl, headers } = await leave(auth, { raw: c.raw, ...params, returnUrl })
    return c.json(null, 302, { ...headers, location: authUrl })
  },
  oauthCallback: async ({ auth, params, query, c }) => {
    // A program that checks a link before the user opens it must not spend it.
    if (c.raw.incoming.method === 'HEAD') return c.json(null, 200, unkept)
    const { to, cookies } = await handleCallback(auth, { raw: c.raw, ...params, query })
    return c.json(null, 302, { ...unkept, location: to, 'set-cookie': [...cookies] })
  },
  finalize: async ({ auth, body, c }) =>
    answerSignIn(c, await finalize(auth, { raw: c.raw, body })),
}

/** The providers that can be used to sign in on this server: a page shows a button for each. */
export function listProviders({ providers }: SocialNeeds<'providers'>) {
  const all = providers.all().map((provider) => ({
    id: provider.id,
    web: provider.web ?? false,
    native: 'verifyNativeIdToken' in provider,
  }))
  return { providers: all.filter(({ web, native }) => web || native) }
}

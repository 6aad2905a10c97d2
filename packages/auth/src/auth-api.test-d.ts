import { BadRequestError, route, t } from '@svc/core/contract'
import { describe, expectTypeOf, it } from 'vitest'
import {
  type AuthApi,
  authApi,
  createAuthApi,
  type ProxiedAuthApi,
  type ProxiedLoginResult,
} from './auth-api.ts'
import type { AuthContract } from './auth-contract.ts'
import { clientOf } from './capability/client.ts'
import type { KeyRegistering } from './capability/contract.ts'
import { allow, defineContract, LoginResult } from './capability/contract.ts'
import { keyFields } from './capability/fields.ts'
import type { KeyRegistration } from './device-key/device-key.ts'
import { KeyAlgorithm } from './index.ts'

const direct = createAuthApi({ baseUrl: 'https://api.example.com' })
const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' }
declare const key: KeyRegistration

it('KeyAlgorithm is a type and its values, as the specification names it', () => {
  expectTypeOf<KeyAlgorithm>().toEqualTypeOf<'ES256' | 'RS256'>()
  expectTypeOf(KeyAlgorithm.ES256).toEqualTypeOf<'ES256'>()
  expectTypeOf<KeyRegistration['algorithm']>().toEqualTypeOf<KeyAlgorithm>()
})

describe('the service as a browser calls it', () => {
  it('needs no key where one is registered: the proxy makes it (A-328)', () => {
    void authApi.login.call({ body: credentials })
    void authApi.login.try({ body: { ...credentials, deviceName: 'Kitchen' } })
    void authApi.rotateKey.call({ body: {} })
    void authApi.register.call({
      body: { email: 'ada@example.com', password: 'x', verificationToken: 'x' },
    })
    void authApi.completeSignup.call({ body: { password: 'x' } })
    // One of its own does no harm: it is written over.
    void authApi.login.call({ body: { ...credentials, ...key } })
  })

  it('needs everything else', () => {
    // @ts-expect-error -- a registration has a password
    void authApi.register.call({ body: { email: 'ada@example.com', verificationToken: 'x' } })
    // @ts-expect-error -- an email address is a text
    void authApi.login.call({ body: { ...credentials, email: 7 } })
    // @ts-expect-error -- it is that of no input
    void authApi.login.call({ body: { ...credentials, passwort: 'x' } })
    // @ts-expect-error -- a login has a body
    void authApi.login.call()
  })

  it('answers and refuses as the service does', () => {
    expectTypeOf(authApi.rotateKey.call).returns.resolves.toEqualTypeOf<
      Awaited<ReturnType<AuthApi['rotateKey']['call']>>
    >()
    expectTypeOf<Awaited<ReturnType<typeof authApi.rotateKey.try>>>().toEqualTypeOf<
      Awaited<ReturnType<AuthApi['rotateKey']['try']>>
    >()
  })

  it('does not tell what the proxy keeps to be known by', () => {
    type Kept = 'knownBrowser'
    expectTypeOf(authApi.register.call).returns.resolves.toEqualTypeOf<
      Omit<Awaited<ReturnType<AuthApi['register']['call']>>, Kept>
    >()
    expectTypeOf<ProxiedLoginResult>().not.toHaveProperty('knownBrowser')
    expectTypeOf<Awaited<ReturnType<AuthApi['login']['call']>>>().toHaveProperty('knownBrowser')
  })

  it('neither tells nor takes what a waiting sign-in is finished with', () => {
    expectTypeOf(authApi.login.call).returns.resolves.toEqualTypeOf<ProxiedLoginResult>()
    expectTypeOf<ProxiedLoginResult['challenge']>().toEqualTypeOf<
      { expiresAtMillis: number } | undefined
    >()
    void authApi.mfaVerify.call({ body: { code: '123456' } })
    void authApi.mfaVerifyOptions.call({ body: {} })
    // @ts-expect-error -- the challenge is the proxy's
    void authApi.mfaVerify.call({ body: { challenge: 'x', code: '123456' } })
    void authApi.sessionRenewOptions.call({ body: {} })
  })

  it('takes nothing that belongs to a sign-in with a provider but where it leads', () => {
    const body = { returnUrl: '/orders' }
    void authApi.getGoogleOAuthUrl.call({ body })
    void authApi.getProviderOAuthUrl.call({ params: { provider: 'github' }, body })
    void authApi.linkSocialAccount.call({ body: { provider: 'github', ...body } })
    void authApi.finalize.call({ body: {} })
    void authApi.finalize.call({ body: { returnUrl: '/orders' } })
    // @ts-expect-error -- the nonce is the proxy's
    void authApi.getGoogleOAuthUrl.call({ body: { ...body, nonce: 'x' } })
    // @ts-expect-error -- so is the key
    void authApi.getGoogleOAuthUrl.call({ body: { ...body, keyId: key.keyId } })
    // @ts-expect-error -- it is some provider's
    void authApi.getProviderOAuthUrl.call({ body })
    // @ts-expect-error -- the nonce is the proxy's here too
    void authApi.linkSocialAccount.call({ body: { provider: 'github', ...body, nonce: 'x' } })
    // @ts-expect-error -- what waits is in a cookie
    void authApi.finalize.call({ body: { pendingToken: 'x' } })
  })

  it('shows a code, and keeps what it is asked with', () => {
    type Started = Awaited<ReturnType<typeof authApi.startDeviceAuth.call>>
    expectTypeOf<Started>().toHaveProperty('userCode')
    expectTypeOf<Started>().not.toHaveProperty('deviceCode')
    expectTypeOf<Started['fingerprintPrefix']>().toEqualTypeOf<string>()
    void authApi.pollDeviceAuth.call({ body: { waitMillis: 1 } })
    // @ts-expect-error -- what it is asked with is in a cookie
    void authApi.pollDeviceAuth.call({ body: { deviceCode: 'x' } })
  })

  it('tells whose setup a link has opened, and not by which secret', () => {
    type Opened = Awaited<ReturnType<typeof authApi.confirmSignupLink.call>>
    expectTypeOf<Opened>().toEqualTypeOf<{ email: string; returnPath: string }>()
    // @ts-expect-error -- the secret is the proxy's
    void authApi.completeSignup.call({ body: { password: 'x', setupSecret: 'x' } })
  })

  it('is the service itself in all that registers no key', () => {
    expectTypeOf(authApi.logout).toEqualTypeOf<AuthApi['logout']>()
    expectTypeOf(authApi.revokeKey).toEqualTypeOf<AuthApi['revokeKey']>()
    expectTypeOf(authApi.setSessionBinding).toEqualTypeOf<AuthApi['setSessionBinding']>()
    expectTypeOf(authApi.getAuthSession).toEqualTypeOf<AuthApi['getAuthSession']>()
  })
})

describe('what registers the key of a machine', () => {
  it('takes the key that the machine has made, in a browser too', () => {
    expectTypeOf(authApi.createMachineKey).toEqualTypeOf<AuthApi['createMachineKey']>()
    void authApi.createMachineKey.call({ body: { ...key, permissions: ['order:read'] } })
    // @ts-expect-error -- the proxy makes none for it
    void authApi.createMachineKey.call({ body: { permissions: ['order:read'] } })
  })
})

describe('the service as a device calls it', () => {
  it('takes the key that the device has made', () => {
    void direct.login.call({ body: { ...credentials, ...key } })
    // @ts-expect-error -- it signs in with a key of its own
    void direct.login.call({ body: credentials })
  })
})

describe('what registers a key', () => {
  it('is each of these and nothing else', () => {
    expectTypeOf<KeyRegistering<AuthContract>>().toEqualTypeOf<
      | 'register'
      | 'completeSignup'
      | 'login'
      | 'startDeviceAuth'
      | 'openSupportSession'
      | 'rotateKey'
      | 'completePasswordReset'
      | 'acceptInvitation'
      | 'passkeyLoginVerify'
      | 'sessionRenewVerify'
      | 'start'
      | 'oauthNative'
      | 'createMachineKey'
      // Where it may come later.
      | 'getGoogleOAuthUrl'
      | 'getProviderOAuthUrl'
      | 'finalize'
    >()
  })
})

const card = defineContract('card', {
  operations: {
    signInByCard: allow.public('card by address')(
      route
        .post('/_auth/card/sign-in')
        .input({ body: t.Object({ number: t.String(), ...keyFields }) })
        .answer(LoginResult, 200, 202)
        .errors(BadRequestError),
    ),
    listCards: allow.bearer('owner only')(
      route.get('/_auth/card').answer(t.Object({ cards: t.Array(t.String()) })),
    ),
  },
  limits: { 'card by address': { limit: 1, windowMillis: 1 } },
  browser: { signInByCard: 'signs in' },
})
const signInByCard = { method: 'POST', path: '/_auth/card/sign-in' } as const
const listCards = { method: 'GET', path: '/_auth/card' } as const

describe('the client of a capability of another package', () => {
  const cardClient = clientOf<typeof card>({ routeMap: { signInByCard, listCards } })

  it('has a route for each operation of its contract, and for no other', () => {
    // @ts-expect-error -- one is missing
    clientOf<typeof card>({ routeMap: { listCards } })
    // @ts-expect-error -- there is no such operation
    clientOf<typeof card>({ routeMap: { signInByCard, listCards, loseCards: listCards } })
  })

  it('is called beside ours, with the key that the device has made', () => {
    const api = createAuthApi({ baseUrl: 'https://api.example.com', clients: [cardClient] })
    expectTypeOf(api.login).toEqualTypeOf<AuthApi['login']>()
    expectTypeOf(api.signInByCard.call).returns.resolves.toEqualTypeOf<LoginResult>()
    expectTypeOf(api.listCards.call).returns.resolves.toEqualTypeOf<{ cards: string[] }>()
    void api.signInByCard.call({ body: { number: '1', ...key } })
    // @ts-expect-error -- it signs in with a key of its own
    void api.signInByCard.call({ body: { number: '1' } })
    // @ts-expect-error -- there is none
    void api.loseCards
  })

  it('needs no key through a proxy, as ours do', () => {
    const api = createAuthApi({ proxy: '/api/rpc', clients: [cardClient] })
    expectTypeOf(api.login).toEqualTypeOf<ProxiedAuthApi['login']>()
    expectTypeOf(api.signInByCard.call).returns.resolves.toEqualTypeOf<ProxiedLoginResult>()
    void api.signInByCard.call({ body: { number: '1' } })
    // @ts-expect-error -- a card has a number
    void api.signInByCard.call({ body: {} })
    // @ts-expect-error -- there is none
    void api.loseCards
  })
})

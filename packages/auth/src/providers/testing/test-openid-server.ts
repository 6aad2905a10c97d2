import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Events, OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'
import { type IdTokenForgery, signIdToken } from './test-id-token.ts'
import { type Misbehaviour, misbehaviours } from './test-misbehaviour.ts'
import { strictTokenEndpoint } from './test-token-endpoint.ts'

/** The claims of the user who signs in. */
type OpenIdUser = { sub: unknown } & Record<string, unknown>

const client = { clientId: 'web-client', clientSecret: 'secret-of-the-web-client' }
const appClientId = 'app-client'

export type TestOpenIdServer = Awaited<ReturnType<typeof startOpenIdServer>>

/**
 * A provider of OpenID Connect on this machine. Every visitor consents at once, as the user that is
 * set.
 */
export async function startOpenIdServer({ now = () => new Date() } = {}) {
  const issuer = new OAuth2Issuer()
  await issuer.keys.generate('RS256', { kid: 'rsa' })
  await issuer.keys.generate('ES256', { kid: 'ec' })
  const service = new OAuth2Service(issuer)

  let user: OpenIdUser = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' }
  let consents = true
  let metadata: Record<string, unknown> = {}
  let published: readonly unknown[] | null = null
  let misbehaviour: Misbehaviour | null = null
  const paths: string[] = []

  service.on(Events.BeforeTokenSigning, ({ payload }: { payload: object }) =>
    Object.assign(payload, times(now()), user),
  )
  service.on(Events.BeforeAuthorizeRedirect, ({ url }: { url: URL }) => {
    if (consents) return
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
  })
  service.on(Events.BeforeWellKnownOpenIdConfiguration, ({ body }: { body: object }) =>
    Object.assign(body, metadata),
  )
  strictTokenEndpoint(service, client)

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://provider')
    paths.push(pathname)
    // Browsers still come to the page where they consent.
    if (misbehaviour && pathname !== '/authorize') misbehaviours[misbehaviour](response)
    else if (published && pathname === '/jwks') response.end(JSON.stringify({ keys: published }))
    else service.requestHandler(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  issuer.url = origin

  return {
    issuer: origin,
    ...client,
    /** For which apps ask. */
    appClientId,
    /** Makes this server Google, for the web and for apps. */
    env: {
      SVC_AUTH_GOOGLE_ISSUER: origin,
      SVC_AUTH_GOOGLE_CLIENT_ID: client.clientId,
      SVC_AUTH_GOOGLE_CLIENT_SECRET: client.clientSecret,
      SVC_AUTH_GOOGLE_NATIVE_CLIENT_IDS: appClientId,
    },
    /** Makes this server Apple. */
    appleEnv: { SVC_AUTH_APPLE_ISSUER: origin, SVC_AUTH_APPLE_CLIENT_IDS: appClientId },
    /** How often a path was asked: `/jwks`, `/token`, `/authorize`, `/.well-known/openid-configuration`. */
    timesAsked: (path: string) => paths.filter((each) => each === path).length,
    setUser(claims: OpenIdUser) {
      user = claims
    },
    /** Whether who comes consents. */
    setConsent(answer: boolean) {
      consents = answer
    },
    /** What it publishes of itself in place of the truth. */
    setMetadata(members: Record<string, unknown>) {
      metadata = members
    },
    /** Until it is told to behave again: `null`. */
    misbehave(how: Misbehaviour | null) {
      misbehaviour = how
    },
    /** Publishes one more key. */
    addKey: (kid: string) => issuer.keys.generate('RS256', { kid }),
    /** Publishes these in place of its own, until it is told `null`. */
    publishKeys(keys: readonly unknown[] | null) {
      published = keys
    },
    /** What an app has from the provider, for the user that is set, with these claims in place of the right ones. */
    issueIdToken(claims: Record<string, unknown>, forgery: IdTokenForgery = {}) {
      const right = { iss: origin, aud: appClientId, ...times(now()), ...user }
      return signIdToken(issuer.keys, { ...right, ...claims }, forgery)
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function times(now: Date) {
  const iat = Math.floor(now.getTime() / 1000)
  return { iat, nbf: iat, exp: iat + 3600 }
}

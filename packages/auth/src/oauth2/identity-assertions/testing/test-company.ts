import { randomUUID } from 'node:crypto'
import type { TestServer } from '@svc/core/testing'
import { withKeyring } from '../../../mfa/testing/test-second-factor.ts'
import { createOidcProvider } from '../../../providers/providers.ts'
import type { IdTokenForgery } from '../../../providers/testing/test-id-token.ts'
import { startOpenIdServer } from '../../../providers/testing/test-openid-server.ts'
import { linksOf } from '../../../social/accounts/testing/test-links.ts'
import { showingTo } from '../../../social/native/testing/test-native.ts'
import { createTestKey, startTestAuth, type TestAuthOptions } from '../../../testing.ts'
import { issuer } from '../../testing/test-agent.ts'
import { agentApp } from '../../testing/test-agent-app.ts'
import { openServiceHost, testServices } from '../../testing/test-exchange.ts'
import { files } from '../../testing/test-resource-server.ts'

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Of another identity provider, with a client of its own. */
export const otherIssuer = 'https://partner.example.com'
export const partner = createOidcProvider({ id: 'partner', issuer: otherIssuer, clientId: 'x' })

type Form = Record<string, string | undefined>

interface Sending {
  /** What the identity provider asserts besides the usual, or instead of it. */
  claims?: Record<string, unknown>
  forgery?: IdTokenForgery
  form?: Form
  headers?: Record<string, string>
  at?: TestServer
}

/** A company's identity provider, the clients that it gives access to, and what the application has to say of both. */
export async function openCompany(now: () => Date) {
  const host = await openServiceHost()
  const idp = await startOpenIdServer({ now })
  const clients = ['assistant', 'other', 'open', 'bound', 'relay'].map((name) => host.at(name))
  const { authorizationServer } = host.options.options
  const provider = {
    keys: { jwksUri: `${idp.issuer}/jwks` },
    accounts: 'google',
    clients,
    resources: ['/mcp', files],
    scopes: ['board', 'user:read'],
  }
  const options: TestAuthOptions = {
    ...agentApp,
    env: { ...idp.env, ...withKeyring() },
    options: {
      providers: [partner],
      authorizationServer: {
        ...authorizationServer,
        identityProviders: {
          [idp.issuer]: provider,
          [otherIssuer]: { ...provider, accounts: partner.id, clients: [host.at('partner')] },
        },
      },
    },
  }
  return { host, idp, clients, provider, options }
}

export type Company = Awaited<ReturnType<typeof openCompany>>

/** The clients of a company at a server that trusts its identity provider. */
export function testEmployees(
  auth: Awaited<ReturnType<typeof startTestAuth>>,
  { host, idp }: Company,
) {
  const services = testServices(auth)
  const assistant = host.at('assistant')
  const show = showingTo(auth)

  /** Signs in here with the identity provider, for the first time. */
  async function employee(sub: string = randomUUID()) {
    const key = await createTestKey()
    idp.setUser({ sub })
    const idToken = await idp.issueIdToken({ nonce: key.registration.fingerprint })
    const { status, body } = await show('google', key, { idToken })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return { userId: body.userId as string, key, sub }
  }

  /** A user with more rights, who is linked. */
  async function linkedUser(...given: Parameters<typeof auth.signedInUser>) {
    const user = await auth.signedInUser(...given)
    const sub = randomUUID()
    await linksOf(auth).put(user.userId, { id: 'google' }, sub)
    return { ...user, sub }
  }

  /** What the identity provider signs for a client (an ID-JAG). */
  function assertion(sub: string, { claims, forgery }: Sending = {}) {
    const iat = Math.floor(auth.clock.now().getTime() / 1000)
    const usual = { sub, aud: issuer, client_id: assistant, jti: randomUUID(), iat, exp: iat + 300 }
    const given = { ...usual, nbf: undefined, scope: 'board user:read', ...claims }
    return idp.issueIdToken(given, { typ: 'oauth-id-jag+jwt', ...forgery })
  }

  const formOf = (given: string, clientId = assistant): Form => ({
    grant_type: jwtBearer,
    assertion: given,
    ...services.signed(clientId),
  })

  async function redeem(sub: string, sending: Sending = {}, clientId = assistant) {
    const { form, headers, at } = sending
    const claims = { client_id: clientId, ...sending.claims }
    const given = formOf(await assertion(sub, { ...sending, claims }), clientId)
    return services.send({ ...given, ...form }, { ...(headers && { headers }), ...(at && { at }) })
  }

  /** The token of a request that succeeds. */
  async function tokenOf(...given: Parameters<typeof redeem>): Promise<string> {
    const { status, body } = await redeem(...given)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.access_token
  }

  return { assistant, services, employee, linkedUser, assertion, formOf, redeem, tokenOf }
}

/** Starts both. */
export async function startCompany() {
  const company = await openCompany(() => auth.clock.now())
  const auth: Awaited<ReturnType<typeof startTestAuth>> = await startTestAuth(company.options)
  async function stop() {
    company.host.close()
    await auth.stop()
    await company.idp.stop()
  }
  return { ...company, auth, stop, ...testEmployees(auth, company) }
}

import { withKeyring } from '../../../mfa/testing/test-second-factor.ts'
import {
  startOpenIdServer,
  type TestOpenIdServer,
} from '../../../providers/testing/test-openid-server.ts'
import {
  createTestKey,
  startTestAuth,
  type TestAnswer,
  type TestAuth,
  type TestAuthOptions,
  type TestKey,
} from '../../../testing.ts'

/** What an app sends besides its key. */
interface Shown {
  idToken: string
  [field: string]: unknown
}

type Claims = Record<string, unknown>

interface TestNative extends TestAuth {
  readonly openid: TestOpenIdServer
  /** The audience of Apple’s id tokens. */
  readonly appleApp: string
  /** Google's, for the device with the key. */
  readonly idTokenFor: (key: TestKey, claims?: Claims) => Promise<string>
  readonly show: ReturnType<typeof showingTo>
  /** Signs in with Google as the user of the claims. */
  readonly signInAs: (claims: Claims, key?: TestKey) => Promise<TestAnswer>
}

/** A server that takes the id tokens of Google and Apple, who are both the one server of OpenID Connect. */
export async function startNative({
  env = {},
  ...options
}: TestAuthOptions = {}): Promise<TestNative> {
  const openid = await startOpenIdServer({ now: () => auth.clock.now() })
  const appleApp = 'apple-app'
  const addresses = {
    ...openid.env,
    ...withKeyring(),
    SVC_AUTH_APPLE_ISSUER: openid.issuer,
    SVC_AUTH_APPLE_CLIENT_IDS: appleApp,
  }
  const auth = await startTestAuth({ ...options, env: { ...addresses, ...env } })

  const idTokenFor = ({ registration }: TestKey, claims: Claims = {}) =>
    openid.issueIdToken({ nonce: registration.fingerprint, ...claims })

  return {
    ...auth,
    openid,
    appleApp,
    idTokenFor,
    show: showingTo(auth),
    signInAs: async (claims, key) => {
      const device = key ?? (await createTestKey())
      return showingTo(auth)('google', device, { idToken: await idTokenFor(device, claims) })
    },
    stop: async () => {
      await auth.stop()
      await openid.stop()
    },
  }
}

/** Shows an id token with a device's key, which it is bound to unless the fields say otherwise. */
export function showingTo({ call }: Pick<TestAuth, 'call'>) {
  return (provider: string, { registration }: TestKey, shown: Shown) => {
    const body = { nonce: registration.fingerprint, ...registration, ...shown }
    return call('oauthNative', body, undefined, { params: { provider } })
  }
}

import { createPublicKey } from 'node:crypto'
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from 'jose'
import type { TestAuth, TestKey, TestUser } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { type Agent, issuer, type testAgents } from './test-agent.ts'
import { mail, type openServiceHost } from './test-exchange.ts'
import { openidEnv } from './test-openid.ts'
import { files } from './test-resource-server.ts'

/** The files check their tokens for themselves, and so does the mail, whose libraries know RS256 alone. */
const jwtAccessTokens = {
  [files]: {},
  [mail]: { lifetimeSeconds: 600, algorithm: 'RS256' as const },
}

/** A server whose resources elsewhere check tokens for themselves. */
export const jwtOptions = ({
  options: { options },
}: Awaited<ReturnType<typeof openServiceHost>>) => ({
  env: openidEnv,
  options: {
    enforcePasswordChange: true,
    authorizationServer: { ...options.authorizationServer, jwtAccessTokens },
  },
})

/** What a resource server does with a token, and what an agent with a key of its own does to get one. */
export function testJwts(auth: TestAuth, agents: ReturnType<typeof testAgents>) {
  const publishedKeys = async () => (await fetch(`${auth.url}/_auth/oauth2/jwks`)).json()

  /** The header and the claims, checked with nothing but what is published. */
  async function read(token: string, { audience = files } = {}) {
    const keys = createLocalJWKSet(await publishedKeys())
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      typ: 'at+jwt',
      issuer,
      audience,
      algorithms: ['ES256', 'RS256'],
      requiredClaims: ['exp', 'sub', 'client_id', 'iat', 'jti'],
      currentDate: auth.clock.now(),
    })
    return { header: protectedHeader, claims: payload }
  }

  /** A token that is bound to a key. */
  async function bound(user: TestUser, agent: Agent, key: TestKey) {
    const url = `${auth.url}/_auth/oauth2/token`
    const nowMillis = auth.clock.now().getTime()
    const dpop = await dpopProof(key, { method: 'POST', url, nowMillis })
    const code = await agents.allow(user, agent, { resource: files })
    const { status, body } = await agents.redeem(agent, code, { headers: { dpop } })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body as { access_token: string; refresh_token: string; token_type: string }
  }

  return { publishedKeys, read, bound }
}

export function thumbprintOf({ registration }: TestKey) {
  const key = Buffer.from(registration.publicKey, 'base64')
  const jwk = createPublicKey({ key, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  return calculateJwkThumbprint(jwk)
}

import { createHash, randomBytes } from 'node:crypto'
import { createAuthApi } from '@svc/auth'
import { createTestKey, type TestKey } from '@svc/auth/testing'
import { requestSigner } from '@svc/core/client'
import { addressOf } from '../auth/clients.ts'
import type { Peer } from '../auth/open-peers.ts'

/** An account with a device, and an agent that it has let in. */
export interface AgentClient {
  key: TestKey
  accessToken: string
}

const redirect = 'http://127.0.0.1:7777/callback'

export async function addAgents(peer: Peer, count: number): Promise<AgentClient[]> {
  const { client_id: clientId } = await createAuthApi({
    baseUrl: peer.url,
  }).registerOAuth2Client.call({
    body: { redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
  })
  const clients: AgentClient[] = []
  for (let index = 1; index <= count; index++) {
    const key = await createTestKey('ES256')
    const { keyId, publicKey, fingerprint } = key.registration
    await peer.pool.query(
      `with account as (
         insert into svc_auth.users (user_id, public_id, email, email_verified_at, password_hash, role, created_at)
         values (gen_random_uuid(), gen_random_uuid(), $4, now(), 'none', 'user', now()) returning user_id)
       insert into svc_auth.device_keys
         (key_id, user_id, state, public_key, fingerprint, algorithm, created_at, authenticated_at, expires_at)
       select $1, user_id, 'active', $2, $3, 'ES256', now(), now(), now() + interval '90 days' from account`,
      [keyId, publicKey, fingerprint, `person${index}@example.com`],
    )
    const accessToken = await accessTokenOf(key, { url: peer.url, clientId, index })
    clients.push({ key, accessToken })
  }
  return clients
}

interface Place {
  url: string
  clientId: string
  /** Each account has an address of its own: the server limits the tokens of one. */
  index: number
}

async function accessTokenOf(key: TestKey, { url, clientId, index }: Place) {
  const user = createAuthApi({ baseUrl: url, sign: requestSigner(key) })
  const verifier = randomBytes(32).toString('base64url')
  const allowed = await user.createOAuth2AuthorizationCode.call({
    body: {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'note:write',
      decision: 'allow',
    },
  })
  const code = new URL(allowed.redirectTo).searchParams.get('code') ?? ''
  const answer = await fetch(`${url}/_auth/oauth2/token`, {
    method: 'POST',
    headers: addressOf(index),
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirect,
      code_verifier: verifier,
      code,
    }),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  const { access_token: accessToken } = (await answer.json()) as { access_token: string }
  return accessToken
}

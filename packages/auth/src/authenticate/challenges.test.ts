import { randomUUID } from 'node:crypto'
import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { getUserId } from '../caller/caller.ts'
import { oneTimeTokenAuth } from '../one-time-token/one-time-token.ts'
import { proofOf } from '../proof/testing/test-proof.ts'
import { createTestKey, startTestAuth } from '../testing.ts'

const router = defineRouter({
  me: route.get('/me').handler((c) => getUserId(c)),
  handshake: route
    .get('/handshake')
    .use([oneTimeTokenAuth])
    .handler((c) => getUserId(c)),
})
const auth = await startTestAuth({
  router,
  options: { authorizationServer: { scopes: { notes: 'Your notes' } } },
})
afterAll(auth.stop)
const key = await createTestKey()

const ask = (path: string, init?: RequestInit) => fetch(`${auth.url}${path}`, init)

async function proved() {
  const path = '/_auth/keys/list'
  const given = { clientId: randomUUID(), now: auth.clock.now(), nonce: randomUUID() }
  const headers = await proofOf({ key, ...given, path, method: 'POST', body: '{}' })
  return ask(path, { method: 'POST', headers, body: '{}' })
}

async function wrongPassword() {
  const { status, headers } = await auth.call('login', {
    email: 'ada@example.com',
    password: 'wrong',
    ...key.registration,
  })
  return { status, headers }
}

const asClient = (headers: Record<string, string>) =>
  ask('/_auth/oauth2/revoke', {
    method: 'POST',
    headers,
    body: new URLSearchParams({ token: 'x', client_id: 'unknown' }),
  })

describe('a 401', () => {
  it.each<[string, string, () => Promise<{ status: number; headers: Headers }>]>([
    ['to a request that is not signed', 'Bearer', () => ask('/me')],
    ['to a signature', 'Bearer', () => ask('/me', { headers: { authorization: 'Bearer a.b.c' } })],
    ['to a wrong password', 'Bearer', wrongPassword],
    ['to a one-time token', 'OTT', () => ask('/handshake?token=x')],
    ['to the proof of a device', 'ClientProofV1', proved],
    ['to a client of the authorization server', 'Bearer', () => asClient({})],
    [
      'to one that has shown itself by Basic',
      'Basic realm="oauth2"',
      () => asClient({ authorization: 'Basic eDp5' }),
    ],
  ])('%s names the scheme %s (RFC 9110, 15.5.2)', async (_, scheme, answer) => {
    const { status, headers } = await answer()
    expect([status, headers.get('www-authenticate')]).toEqual([401, scheme])
  })
})

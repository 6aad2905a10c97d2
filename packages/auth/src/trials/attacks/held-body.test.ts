import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { defineRouter, route, t } from '@svc/core'
import { directRequest, type SigningKey } from '@svc/core/client'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import type { AuthContract } from '../../auth-contract.ts'
import { deviceKeys } from '../../keys/schema.ts'
import { spent } from '../../once/schema.ts'
import { routeMap } from '../../route-map.generated.ts'
import { startTestAuth } from '../../testing.ts'

const acts: string[] = []
const router = defineRouter({
  act: route
    .post('/act')
    .input({ body: t.Object({ what: t.String() }) })
    .handler(async (c) => {
      acts.push((await c.data()).body.what)
    }),
})
const auth = await startTestAuth({ router })
afterAll(() => auth.stop())
const { db } = auth.auth

/** Sends a signed request but for its last byte, and waits until the server has read what there is. */
async function hold(name: keyof AuthContract | 'act', body: object, key: SigningKey) {
  const entry = name === 'act' ? ({ method: 'POST', path: '/act' } as const) : routeMap[name]
  const prepared = directRequest(auth.url, { ...entry, input: { body } })
  const { method, url, headers } = prepared
  const text = (prepared.body ?? '') as string // it is JSON
  const signed = await auth.signerOf(key)({ ...prepared, body: text })
  const length = { 'content-length': Buffer.byteLength(text) }
  const sent = request(url, { method, headers: { ...headers, ...signed, ...length } })
  const answer = new Promise<{ status: number | undefined; code: string | undefined }>(
    (resolve, reject) => {
      sent.on('error', reject).on('response', (incoming) => {
        json(incoming).then((told) => {
          const { error } = (told ?? {}) as { error?: { code: string } }
          resolve({ status: incoming.statusCode, code: error?.code })
        }, reject)
      })
    },
  )
  sent.write(text.slice(0, -1))
  await wait(100)
  return async () => {
    sent.end(text.slice(-1))
    return answer
  }
}

describe('a request whose last byte is held back', () => {
  it('acts when nothing has happened meanwhile', async () => {
    const { key } = await auth.signedInUser()
    const release = await hold('act', { what: 'in time' }, key)
    expect(await release()).toEqual({ status: 200, code: undefined })
    expect(acts).toContain('in time')
  })

  it('is refused when its device was signed out meanwhile', async () => {
    const { key } = await auth.signedInUser()
    const release = await hold('act', { what: 'after the revocation' }, key)
    await auth.call('revokeKey', { keyId: key.keyId }, key)
    expect(await release()).toEqual({ status: 401, code: 'UnauthorizedError' })
    expect(acts).not.toContain('after the revocation')
  })

  it('is refused when its account was suspended meanwhile', async () => {
    const { userId, key } = await auth.signedInUser()
    const release = await hold('act', { what: 'after the suspension' }, key)
    await db.update(users).set({ status: 'suspended' }).where(eq(users.userId, userId))
    expect(await release()).toEqual({ status: 403, code: 'AccountDisabledError' })
    expect(acts).not.toContain('after the suspension')
  })

  it('has the rights that its account has by then', async () => {
    const { userId, key } = await auth.signedInUser({ role: 'superadmin' })
    const role = { name: 'late', displayName: 'Late' }
    const release = await hold('createAdminRole', role, key)
    await db.update(users).set({ role: 'user' }).where(eq(users.userId, userId))
    expect(await release()).toEqual({ status: 403, code: 'ForbiddenError' })
  })

  it('is refused when its key has expired meanwhile', async () => {
    const { key } = await auth.signedInUser()
    const release = await hold('act', { what: 'after the end of the key' }, key)
    const { keyId } = key
    const expiresAt = auth.clock.now()
    await db.update(deviceKeys).set({ expiresAt }).where(eq(deviceKeys.keyId, keyId))
    expect(await release()).toEqual({ status: 401, code: 'KeyExpiredError' })
  })

  it('does not outlive its token, after which the server forgets that it was used', async () => {
    const { key } = await auth.signedInUser()
    const release = await hold('act', { what: 'after the token' }, key)
    auth.clock.advance(301_000)
    await db.delete(spent)
    expect(await release()).toEqual({ status: 401, code: 'TokenExpiredError' })
    expect(acts).not.toContain('after the token')
  })
})

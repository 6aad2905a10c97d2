import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { route, ServiceUnavailableError } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import { createSigningKey } from '../testing/signed-fetch.ts'
import { startTestServer } from '../testing/test-server.ts'
import type { ApiOptions } from './create-api.ts'
import { requestSigner } from './sign-request.ts'

let bornAt = 0
let retryAfter = 0
let seen: { iat: number; jti: string }[] = []

/** Accepts requests that were signed after the moment, as the auth package does after its cache was lost. */
const router = defineRouter({
  order: route.post('/orders').handler((c) => {
    const payload = c.raw.req.header('authorization')?.split('.')[1] ?? ''
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}')
    seen.push(claims)
    if (!(claims.iat > bornAt)) throw new ServiceUnavailableError({ retryAfter })
    return { iat: claims.iat }
  }),
})

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)
const sign = requestSigner(await createSigningKey())
const api = (options: Partial<ApiOptions> = {}) => server.api<typeof router>({ sign, ...options })
const seconds = (moment: Date | number) => Math.floor(Number(moment) / 1000)

beforeEach(() => {
  seen = []
  retryAfter = 0
  server.clock.set(new Date())
})

describe('a server that asks to sign again', () => {
  it('gets the same request signed after the second of its loss, once', async () => {
    bornAt = seconds(Date.now()) + 1
    expect(await api().order.call()).toEqual({ iat: expect.any(Number) })

    expect(seen).toHaveLength(2)
    expect(seen[1]?.jti).not.toBe(seen[0]?.jti)
    expect(seen[1]?.iat).toBeGreaterThan(bornAt)
  })

  it('gets it by its own time, where the clock of the client is behind', async () => {
    server.clock.advance('20s')
    bornAt = seconds(server.clock.now())
    expect(await api().order.call()).toEqual({ iat: seconds(server.clock.now()) + 2 })
  })

  it('is not asked a third time', async () => {
    bornAt = seconds(Date.now()) + 3600
    await expect(api().order.call()).rejects.toMatchObject({ status: 503, retryAfter: 0 })
    expect(seen).toHaveLength(2)
  })

  it('is asked once where it says when to come again, and by a client that does not sign', async () => {
    bornAt = seconds(Date.now()) + 3600
    retryAfter = 5
    await expect(api().order.call()).rejects.toMatchObject({ status: 503 })
    retryAfter = 0
    await expect(server.api<typeof router>().order.call()).rejects.toMatchObject({ status: 503 })
    expect(seen).toHaveLength(2)
  })
})

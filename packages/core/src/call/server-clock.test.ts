import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { HttpError, route } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter } from '../routes/router.ts'
import { createSigningKey } from '../testing/signed-fetch.ts'
import { startTestServer } from '../testing/test-server.ts'
import type { ApiOptions } from './create-api.ts'
import { createServerClock } from './server-clock.ts'
import { requestSigner } from './sign-request.ts'

class TokenExpiredError extends HttpError {
  readonly name = 'TokenExpiredError'
  readonly status = 401
}

class RequestBindingError extends HttpError<{ claim: string }> {
  readonly name = 'RequestBindingError'
  readonly status = 401
}

/** Refuses as the auth package does: what has expired, and what is signed more than 30 s ahead. */
const checkTime = defineMiddleware('checkTime', async (c, next) => {
  const payload = c.req.header('authorization')?.split('.')[1] ?? ''
  const { iat, exp, aud } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const now = c.server.clock.now().getTime() / 1000
  if (iat > now + 30) throw new RequestBindingError({ claim: 'iat' })
  if (exp <= now) throw new TokenExpiredError()
  if (aud === 'https://elsewhere.example.com') throw new RequestBindingError({ claim: 'aud' })
  await next()
})

let handled = 0
const router = defineRouter({
  order: route
    .post('/orders')
    .use([checkTime])
    .handler(() => ({ handled: ++handled })),
  never: route
    .post('/never')
    .use([checkTime])
    .handler(() => {
      throw new TokenExpiredError()
    }),
})

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)
const key = await createSigningKey()

let sent: string[] = []
const recorded: typeof fetch = (input, init) => {
  sent.push(new URL(input as string).pathname)
  return fetch(input, init)
}

beforeEach(() => {
  handled = 0
  sent = []
})

/** A client whose clock is off by so many minutes, seen from the server. */
function clientOff(minutes: number, options: Partial<ApiOptions> = {}) {
  server.clock.set(new Date(Date.now() - minutes * 60_000))
  return server.api<typeof router>({ sign: requestSigner(key), fetch: recorded, ...options })
}

describe('a client with a wrong clock', () => {
  it.each([5, -5, 60 * 24, -60 * 24])('gets through when it is off by %i minutes', async (off) => {
    const api = clientOff(off)

    expect(await api.order.call()).toEqual({ handled: 1 })
    expect(sent).toEqual(['/orders', '/_core/time', '/orders'])
    expect(await api.order.call()).toEqual({ handled: 2 })
    expect(sent.slice(3)).toEqual(['/orders'])
  })

  it('asks for the time once when many calls are refused', async () => {
    const api = clientOff(5)

    await Promise.all(Array.from({ length: 10 }, () => api.order.call()))
    expect(handled).toBe(10)
    expect(sent.filter((path) => path === '/_core/time')).toHaveLength(1)
  })

  it('notices a clock that goes wrong later', async () => {
    const api = clientOff(5)
    await api.order.call()
    server.clock.set(new Date())

    expect(await api.order.call()).toEqual({ handled: 2 })
  })

  it('is refused as before when the server does not tell the time', async () => {
    const api = clientOff(5, {
      fetch: async (input, init) => {
        const { pathname } = new URL(input as string)
        return pathname === '/_core/time' ? Response.json({}) : recorded(input, init)
      },
    })

    await expect(api.order.call()).rejects.toMatchObject({ name: 'RequestBindingError' })
    expect(sent).toEqual(['/orders'])
  })

  it('tries a second time and no more', async () => {
    const api = clientOff(-5)

    await expect(api.never.call()).rejects.toMatchObject({ name: 'TokenExpiredError' })
    expect(sent).toEqual(['/never', '/_core/time', '/never'])
  })
})

describe('a client with the right clock', () => {
  it('asks for no time', async () => {
    await clientOff(0).order.call()

    expect(sent).toEqual(['/orders'])
  })

  it('does not repeat what was refused for another reason', async () => {
    const sign = requestSigner(key, { audience: 'https://elsewhere.example.com' })
    const api = clientOff(0, { sign })

    await expect(api.order.call()).rejects.toMatchObject({ claim: 'aud' })
    expect(sent).toEqual(['/orders'])
  })

  it('does not repeat what another time would not help', async () => {
    await expect(clientOff(0).never.call()).rejects.toMatchObject({ name: 'TokenExpiredError' })
    expect(sent).toEqual(['/never', '/_core/time'])
  })
})

describe('createServerClock', () => {
  it('is the local clock until it has asked, and the server’s after', async () => {
    server.clock.set(new Date(Date.now() + 3_600_000))
    const clock = createServerClock({ baseUrl: `${server.url}/` })
    expect(Math.abs(clock.nowMillis() - Date.now())).toBeLessThan(1000)

    expect(await clock.sync()).toBe(true)
    expect(Math.abs(clock.nowMillis() - server.clock.now().getTime())).toBeLessThan(2000)
  })

  it('keeps what it knows when the server cannot be reached', async () => {
    const clock = createServerClock({ baseUrl: 'http://localhost:1' })

    expect(await clock.sync()).toBe(false)
    expect(clock.offsetMillis).toBe(0)
  })
})

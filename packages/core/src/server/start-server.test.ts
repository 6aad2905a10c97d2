import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { route } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineEnv, integer, required } from '../env/env.ts'
import { ServiceUnavailableError } from '../errors/contract.ts'
import { createLogger } from '../observation/logger.ts'
import { clientAddress } from '../request/client-address.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'
import { startServer } from './start-server.ts'

const quiet = createLogger({ level: 'silent' })
const nowhere = 'postgres://nobody:hunter2@localhost:1/none'

describe('boot', () => {
  it('validates the environment of the server and of every package before the database connects', async () => {
    const readPackageEnv = defineEnv({ SVC_SECRET: required, SVC_COUNT: integer({ initial: 1 }) })
    const definition = defineServer().lifecycle({
      name: 'package',
      validateEnvironment: (source) => void readPackageEnv(source),
      afterInfrastructure: () => {
        throw new Error('reached')
      },
    })
    const env = { DATABASE_URL: nowhere, SVC_PORT: 'x', SVC_COUNT: 'many' }

    await expect(startServer(definition, { env, log: quiet })).rejects.toMatchObject({
      problems: [
        'SVC_PORT must be a whole number from 0 to 65535',
        'SVC_SECRET is required',
        'SVC_COUNT must be a whole number',
      ],
    })
  })

  it('refuses routes that cannot be served before the database connects', async () => {
    const router = defineRouter({ mine: route.get('/_core/mine').handler(() => 1) })

    await expect(
      startServer(defineServer().routes(router), { env: { DATABASE_URL: nowhere }, log: quiet }),
    ).rejects.toThrow('reserved')
  })

  it('says in one sentence that a database cannot be reached, without the password', async () => {
    const failure = startServer(defineServer(), { env: { DATABASE_URL: nowhere }, log: quiet })

    await expect(failure).rejects.toThrow(/DATABASE_URL/)
    await expect(failure).rejects.not.toThrow(/hunter2/)
  })

  it('says which variable to set when the port is in use, and lets go of what it had opened', async () => {
    const blocker = createServer().listen(0, 'localhost')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as { port: number }
    const order: string[] = []
    const definition = defineServer().lifecycle({
      name: 'package',
      afterInfrastructure: () => void order.push('up'),
    })

    await expect(startServer(definition, { env: {}, port, log: quiet })).rejects.toThrow(
      `Port ${port} is in use. Stop the process that listens there, or set SVC_PORT to another port.`,
    )
    expect(order).toEqual(['up'])
    blocker.close()
  })
})

describe('lifecycle', () => {
  it('runs hooks after the infrastructure is up and before it goes down, last registered first', async () => {
    const order: string[] = []
    const hooks = (name: string) => ({
      name,
      validateEnvironment: () => void order.push(`${name} environment`),
      afterInfrastructure: async ({ database }: { database?: { isUp(): Promise<boolean> } }) =>
        void order.push(`${name} up ${await database?.isUp()}`),
      beforeShutdown: async ({ database }: { database?: { isUp(): Promise<boolean> } }) =>
        void order.push(`${name} down ${await database?.isUp()}`),
    })
    const server = await startTestServer(
      defineServer().lifecycle(hooks('a')).lifecycle(hooks('b')),
      {
        database: true,
      },
    )
    await server.stop()

    expect(order).toEqual([
      'a environment',
      'b environment',
      'a up true',
      'b up true',
      'b down true',
      'a down true',
    ])
  })
})

describe('shutdown', () => {
  it('turns health first, finishes what is under way, and then refuses connections', async () => {
    let release = () => {}
    let health: Response | undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const router = defineRouter({
      slow: route.get('/slow').handler(async () => {
        await held
        return 'finished'
      }),
    })
    const definition = defineServer()
      .routes(router)
      .lifecycle({
        name: 'probe',
        beforeShutdown: async ({ log }) => {
          health = await server.fetch('/_core/health')
          log.info('leaving')
        },
      })
    const server = await startTestServer(definition)
    const slow = server.fetch('/slow')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const stopped = server.stop()
    setTimeout(release, 100)

    expect(await (await slow).json()).toBe('finished')
    await stopped
    expect(health?.status).toBe(503)
    expect(await health?.json()).toMatchObject({ status: 'shutting_down' })
    await expect(server.fetch('/_core/health')).rejects.toThrow()
  })
})

describe('SVC_HOST', () => {
  it.each(['::', '::1'])('may be an address of IPv6: %s is in brackets in a URL', async (host) => {
    const router = defineRouter({ ping: route.get('/ping').handler(() => ({ pong: true })) })
    const env = { SVC_HOST: host }
    const server = await startTestServer(defineServer().routes(router), { env })
    onTestFinished(() => server.stop())
    expect(server.url).toMatch(host === '::' ? /^http:\/\/\[::\]:\d+$/ : /^http:\/\/\[::1\]:\d+$/)
    const answer = await fetch(`http://[::1]:${new URL(server.url).port}/ping`)
    expect(await answer.json()).toEqual({ pong: true })
  })
})

describe('clientAddress', () => {
  const router = defineRouter({
    whereFrom: route.get('/where-from').handler((c) => clientAddress(c.raw)),
  })
  const ask = async (hops: number, forwarded?: string) => {
    const env = { SVC_TRUSTED_PROXY_HOPS: String(hops), SVC_HOST: '127.0.0.1' }
    const server = await startTestServer(defineServer().routes(router), { env })
    const answer = await server.fetch('/where-from', {
      headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
    })
    await server.stop()
    return answer.json()
  }

  it('is the socket’s while no proxy is trusted, even if a client sends another', async () => {
    expect(await ask(0, '203.0.113.9')).toBe('127.0.0.1')
  })

  it('counts trusted hops from the right', async () => {
    expect(await ask(1, '6.6.6.6, 203.0.113.9')).toBe('203.0.113.9')
    expect(await ask(2, '6.6.6.6, 203.0.113.9, 10.0.0.1')).toBe('203.0.113.9')
  })

  it('falls back to the socket’s when the header is short or no address', async () => {
    expect(await ask(2, '203.0.113.9')).toBe('127.0.0.1')
    for (const none of ['unknown', '_hidden:80', '[]', '[::1', '203.0.113.9:x', '1.2.3.4.5:80']) {
      expect(await ask(1, none), none).toBe('127.0.0.1')
    }
  })

  it.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:4711', '203.0.113.9'],
  ])('is the address alone, where a proxy writes %s', async (written, address) => {
    expect(await ask(1, written)).toBe(address)
  })
})

describe('a package', () => {
  it('reads the environment as it starts, and closes what it opened when no request is left', async () => {
    const order: string[] = []
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const definition = defineServer()
      .routes(
        defineRouter({
          slow: route.get('/slow').handler(async () => {
            ask()
            await wait(50)
            order.push('answered')
          }),
        }),
      )
      .lifecycle({
        name: 'package',
        afterInfrastructure: async ({ cache }, source) => {
          order.push(`opened ${source.SVC_PACKAGE}`)
          return async () => {
            await cache.get('still there')
            order.push('closed')
          }
        },
        beforeShutdown: () => void order.push('leaving'),
      })
    const server = await startTestServer(definition, { env: { SVC_PACKAGE: 'it' } })
    const answer = server.fetch('/slow')
    await asked
    await server.stop()
    await answer

    expect(order).toEqual(['opened it', 'leaving', 'answered', 'closed'])
  })
})

describe('origins', () => {
  const router = defineRouter({ open: route.post('/open').handler(() => 1) })

  it('lets listed pages call, and no others', async () => {
    const server = await startTestServer(
      defineServer().routes(router).origins('https://app.example.com'),
    )
    const ask = (origin: string, method: string) =>
      server.fetch('/open', {
        method,
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const preflight = await ask('https://app.example.com', 'OPTIONS')
    const listed = await ask('https://app.example.com', 'POST')
    const other = await ask('https://evil.example.com', 'POST')
    await server.stop()

    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    expect(listed.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(listed.headers.get('vary')).toBe('Origin')
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the log', () => {
  it('holds no secret: not in members, not in queries, not in addresses', async () => {
    const lines: string[] = []
    const log = createLogger({ destination: { write: (line) => lines.push(line) } })
    log.info({ deep: [{ password: 'hunter2', authorization: 'Bearer hunter2' }] }, 'members')
    log.info({ url: '/events/stream?events=a&token=hunter2&x=1' }, 'query')
    log.error(new Error('connect postgres://svc:hunter2@db/app failed'), 'address')
    log.info({ secret: 'a "quoted" hunter2' }, 'quotes')

    expect(lines.join('')).not.toContain('hunter2')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'members',
      'query',
      'address',
      'quotes',
    ])
    expect(lines.join('')).toContain('&x=1')
  })

  it('has a line and no stack for a refusal for want of room, which come in floods', async () => {
    const full = defineMiddleware('full', () => {
      throw new ServiceUnavailableError()
    })
    const router = defineRouter({
      crowded: route
        .get('/crowded')
        .use([full])
        .handler(() => 1),
    })
    const server = await startTestServer(defineServer().routes(router))
    const answer = await server.fetch('/crowded')
    await server.stop()

    expect(answer.status).toBe(503)
    const line = server.logged.find(({ url }) => url === '/crowded')
    expect(line).toMatchObject({ level: 'warn', refused: 'ServiceUnavailableError', status: 503 })
    expect(line).not.toHaveProperty('err')
  })

  it('names the request of a failure', async () => {
    const failing = defineMiddleware('failing', () => {
      throw new Error('broken')
    })
    const router = defineRouter({
      fails: route
        .get('/fails')
        .use([failing])
        .handler(() => 1),
    })
    const server = await startTestServer(defineServer().routes(router))
    await server.fetch('/fails?token=hunter2', { headers: { 'x-request-id': 'trace-12345' } })
    await server.stop()

    expect(server.logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        requestId: 'trace-12345',
        url: '/fails?token=[redacted]',
      }),
    )
  })
})

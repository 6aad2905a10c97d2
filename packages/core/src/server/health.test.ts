import { glob, readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { route } from '../contract.ts'
import { defineServer, type HealthCheckOptions } from '../definition/define-server.ts'
import { UnauthorizedError } from '../errors/contract.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter, type Routes } from '../routes/router.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const running: TestServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

async function start(health: HealthCheckOptions = {}, routes: Routes = {}) {
  const closed = defineMiddleware('auth', () => {
    throw new UnauthorizedError()
  })
  const router = defineRouter(routes).use(Object.keys(routes).length > 0 ? [] : [closed])
  const server = await startTestServer(defineServer().routes(router).healthCheck(health))
  running.push(server)
  return server
}

const warnings = (server: TestServer) => server.logged.filter(({ level }) => level === 'warn')
const own = { health: route.get('/health').handler(() => ({ mine: true })) }

describe('GET /_core/health', () => {
  it('is public and answers 200 when healthy (R-019)', async () => {
    expect((await (await start()).fetch('/_core/health')).status).toBe(200)
  })

  it('says ok and when (R-020)', async () => {
    const server = await start()
    const answer = await server.fetch('/_core/health')

    expect(await answer.json()).toEqual({
      status: 'ok',
      timestamp: server.clock.now().toISOString(),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('answers 503 and degraded while a dependency is down, and lives on (R-020)', async () => {
    const server = await startTestServer(defineServer().healthCheck({ detailed: true }), {
      database: true,
    })
    running.push(server)
    const { database } = server.infrastructure
    Object.assign(database as object, { health: async () => 'down' })
    const answer = await server.fetch('/_core/health')

    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      status: 'degraded',
      services: { database: 'down' },
    })
    expect((await server.fetch('/_core/health/ready')).status).toBe(503)
    expect((await server.fetch('/_core/health/live')).status).toBe(200)
  })

  it('adds services and migrations when asked for details (R-020)', async () => {
    const server = await startTestServer(defineServer().healthCheck({ detailed: true }), {
      database: true,
    })
    running.push(server)

    expect(await (await server.fetch('/_core/health')).json()).toMatchObject({
      status: 'ok',
      services: { database: 'up' },
      migrations: { applied: 6, pending: 0 },
    })
  })
})

describe('GET /health', () => {
  it('answers 410 and names the new address when nothing claims it (R-022, R-030)', async () => {
    const answer = await (await start()).fetch('/health')

    expect(answer.status).toBe(410)
    expect(await answer.json()).toMatchObject({
      __type: 'GoneError',
      message: expect.stringContaining('/_core/health'),
      movedTo: '/_core/health',
    })
  })

  it('warns once per server, not per probe (R-023)', async () => {
    const server = await start()
    for (let probe = 0; probe < 3; probe++) await server.fetch('/health')

    expect(warnings(server)).toHaveLength(1)
    expect(warnings(server)[0]?.msg).toMatch(/\/_core\/health.*restore the old path/)
    const second = await start()
    await second.fetch('/health')
    expect(warnings(second)).toHaveLength(1)
  })

  it('is the application’s when it declares it: no 410, no warning (R-027)', async () => {
    const server = await start({}, own)
    const answer = await server.fetch('/health')

    expect([answer.status, await answer.json()]).toEqual([200, { mine: true }])
    expect(warnings(server)).toHaveLength(0)
    expect((await server.fetch('/_core/health')).status).toBe(200)
  })

  it('is 404 when the check is turned off, and /_core/health still answers (R-025)', async () => {
    const server = await start({ enabled: false })

    expect((await server.fetch('/health')).status).toBe(404)
    expect((await server.fetch('/_core/health')).status).toBe(200)
  })
})

describe('a configured path', () => {
  for (const path of ['/health', '/up'] as const) {
    it(`answers publicly and identically on ${path} and /_core/health (R-024)`, async () => {
      const server = await start({ path })
      const [configured, built] = await Promise.all([
        server.fetch(path),
        server.fetch('/_core/health'),
      ])

      expect(configured.status).toBe(200)
      expect(await configured.json()).toEqual(await built.json())
      expect(warnings(server)).toHaveLength(0)
    })
  }

  it('wins over an application route there, and boot says so (R-026)', async () => {
    const server = await start({ path: '/health' }, own)

    expect(await (await server.fetch('/health')).json()).toMatchObject({ status: 'ok' })
    expect(warnings(server)[0]?.msg).toMatch(/Route "health" \(GET \/health\) does not run/)
  })
})

describe('this project', () => {
  it('probes /_core/health and takes 200 for healthy (R-028)', async () => {
    const root = new URL('../../../../', import.meta.url)
    const files: string[] = []
    for await (const file of glob('{scripts,.ci,apps/starter}/**/*.{ts,tsx,mjs,sh,yml}', {
      cwd: root,
      exclude: (name) => ['node_modules', '.next'].includes(name),
    }))
      files.push(file)
    const texts = await Promise.all(files.map((file) => readFile(new URL(file, root), 'utf8')))
    const whole = texts.join('\n')

    expect(whole).toContain('/_core/health')
    expect(whole).not.toMatch(/['"`]\/health['"`]/)
  })
})

describe('GET /_core/time', () => {
  it('tells the server’s time and may not be cached', async () => {
    const server = await start()
    server.clock.advance('1d')
    const answer = await server.fetch('/_core/time')

    expect(await answer.json()).toEqual({ serverTimeMillis: server.clock.now().getTime() })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import type { Clock } from '../clock/clock.ts'
import { defineServer, migrationSources } from '../definition/define-server.ts'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { startTestServer } from '../testing/test-server.ts'
import { type RunningServer, startServer } from './start-server.ts'

const second = 1000
const definition = defineServer().healthCheck({ detailed: true })

let running: (RunningServer & { database: TestDatabase }) | undefined
afterEach(async () => {
  await running?.stop()
  await running?.database.drop()
  running = undefined
})

/** A machine whose clock is off by so much, and can be set. */
async function startOffBy(millis: number) {
  let offMillis = millis
  const clock: Clock = { now: () => new Date(Date.now() + offMillis) }
  const lines: { level: string; msg: string; aheadMillis?: number }[] = []
  const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } })
  const database = await createTestDatabase({ sources: migrationSources(definition) })
  const env = { NODE_ENV: 'test', DATABASE_URL: database.url }
  const server = await startServer(definition, { env, port: 0, clock, log })
  running = { ...server, database }
  const ask = async (path: string) => {
    // Answers are remembered for half a second.
    await new Promise((resolve) => setTimeout(resolve, 510))
    const answer = await fetch(`${server.url}${path}`)
    return { status: answer.status, body: await answer.json() }
  }
  return {
    ask,
    set: (to: number) => {
      offMillis = to
    },
    said: () => lines.filter(({ msg }) => msg.includes('clock')),
  }
}

describe('a server whose clock is off (decisions 16)', () => {
  it.each([
    ['ahead of', 120],
    ['behind', -120],
  ])(
    'is not ready when it is %s the database’s (by %i s), lives on, and says what to do',
    async (standing, seconds) => {
      const { ask, said } = await startOffBy(seconds * second)

      const [line] = said()
      expect(line).toMatchObject({ level: 'error' })
      expect(line?.msg).toContain(`120.0 s ${standing} the database's`)
      expect(line?.msg).toMatch(/not ready until .* chrony/)
      for (const path of ['/_core/health', '/_core/health/ready']) {
        const { status, body } = await ask(path)
        expect(status).toBe(503)
        expect(body).toMatchObject({ status: 'degraded', services: { database: 'up' } })
        expect(body.clock.state).toBe('off')
        expect(Math.abs(body.clock.aheadMillis - seconds * second)).toBeLessThan(second)
      }
      expect((await ask('/_core/health/live')).status).toBe(200)
    },
  )

  it('is ready again by itself when it is right, and says each once', async () => {
    const { ask, set, said } = await startOffBy(120 * second)
    expect((await ask('/_core/health/ready')).status).toBe(503)
    expect((await ask('/_core/health/ready')).status).toBe(503)
    set(0)
    expect(await ask('/_core/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', clock: { state: 'right', aheadMillis: 0 } },
    })

    expect(said().map(({ level }) => level)).toEqual(['error', 'info'])
  })

  it.each([5, -29])('is ready and warns when it is off by %i s', async (seconds) => {
    const { ask, said } = await startOffBy(seconds * second)
    expect(await ask('/_core/health/ready')).toMatchObject({
      status: 200,
      body: { clock: { state: 'apart' } },
    })

    expect(said().map(({ level }) => level)).toEqual(['warn'])
  })

  it('logs nothing for half a second, and not each change around one second', async () => {
    const { ask, set, said } = await startOffBy(0.5 * second)
    expect(said()).toEqual([])
    set(1.5 * second)
    await ask('/_core/health')
    set(0.9 * second)
    await ask('/_core/health')
    set(1.5 * second)
    await ask('/_core/health')

    expect(said().map(({ level }) => level)).toEqual(['warn'])
  })

  it('is not judged by a clock that a test moves', async () => {
    const server = await startTestServer(definition, { database: true })
    server.clock.advance('1d')
    const answer = await server.fetch('/_core/health/ready')

    expect(answer.status).toBe(200)
    expect(await answer.json()).not.toHaveProperty('clock')
    await server.stop()
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { startTestPostgres } from '../database/test-postgres.ts'
import { createLogger } from '../observation/logger.ts'
import { connectCache, coreMigrations } from './server.ts'
import { lines, losses, spentBefore } from './test-rebirth.ts'

let stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  stops = []
})
const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } })

describe('a cache in PostgreSQL', () => {
  it('is empty after a crash: it knows nothing of what was spent before, and says so (F24)', async () => {
    const server = await startTestPostgres()
    stops.push(() => server.stop())
    await migrate(server, [coreMigrations], { log })
    const cache = await connectCache('postgres:', { log, database: server })
    stops.push(() => cache.close())
    lines.length = 0
    const outcome = await spentBefore(cache, async () => {
      await server.kill()
      await server.restart()
    })
    expect(outcome).toBe('unknown')
    expect(losses()).toEqual([1, 0])
  })
})

import { describe, expect, it, vi } from 'vitest'
import { connectCache, coreMigrations } from '../cache/server.ts'
import { migrate } from './server.ts'
import { usePair } from './test-failover.ts'

const test = usePair()
const { log, open } = test

describe('an address of several hosts', { timeout: 60_000 }, () => {
  it('is refused when none of them takes writes', async () => {
    const { standbyUrl } = test.pair
    const onlyStandbys = standbyUrl.replace(/@([^/]+)/, '@$1,$1')
    await expect(open(onlyStandbys)).rejects.toThrow('No host in DATABASE_URL takes writes')
    await expect(open(`${standbyUrl}?target_session_attrs=read-write`)).rejects.toThrow(
      'No host in DATABASE_URL takes writes',
    )
  })
})

describe('a standby', { timeout: 60_000 }, () => {
  it('that is promoted minutes after the first migration has working messages (F25)', async () => {
    await migrate({ url: test.pair.primaryUrl }, [coreMigrations], { log })
    await test.pair.kill()
    await test.pair.promote()
    const cache = await connectCache('postgres:', { log, database: { url: test.pair.standbyUrl } })
    try {
      const got: string[] = []
      await cache.subscribe('news', (message) => got.push(message))
      await cache.publish('news', 'hello')
      await vi.waitFor(() => expect(got).toEqual(['hello']), 5000)
    } finally {
      await cache.close()
    }
  })
})

import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '../../observation/logger.ts'
import { freePort } from '../../testing/free-port.ts'
import { testCache } from '../cache-suite.ts'
import { connectCache } from '../server.ts'
import { launchRedis, startTestValkey, valkeyProgram } from '../test-redis.ts'

const log = createLogger({ level: 'silent' })
const reason = valkeyProgram ? '' : ' (no valkey-server on PATH, and no SVC_TEST_VALKEY)'
const guide = readFileSync(new URL('../../../../../docs/guide/cache.md', import.meta.url), 'utf8')
const [line = ''] = /^ACL SETUSER shop .*~shop:\* .*$/m.exec(guide) ?? []
const minute = 60_000

describe.skipIf(reason)(`F26: Valkey${reason}`, () => {
  describe('and the user of docs/guide/cache.md', () => {
    testCache(async () => {
      const server = await startTestValkey()
      await server.call('ACL', ...line.split(' ').slice(1))
      const url = `${server.url.replace('//', '//shop:password@')}?prefix=shop:`
      const [here, there] = [await connectCache(url, { log }), await connectCache(url, { log })]
      return {
        instances: [here, there],
        async stop() {
          await Promise.all([here.close(), there.close()])
          expect(await server.call('ACL', 'LOG')).toEqual([])
          await server.stop()
        },
      }
    })
  })

  it('that is a Sentinel is refused where CACHE_URL takes it for a server', async () => {
    const [port, directory] = [await freePort(), await mkdtemp(join(tmpdir(), 'svc-valkey-'))]
    onTestFinished(() => rm(directory, { recursive: true }))
    const settings = join(directory, 'sentinel.conf')
    await writeFile(settings, `port ${port}\nbind 127.0.0.1\ndir ${directory}\n`)
    const sentinel = await launchRedis(port, [settings, '--sentinel'], valkeyProgram)
    onTestFinished(() => sentinel.kill())
    await expect(connectCache(`redis://127.0.0.1:${port}`, { log })).rejects.toThrow(
      /is a Sentinel: write redis\+sentinel:/,
    )
  })

  it('that starts empty knows nothing of what was spent before, and is back by itself', async () => {
    const server = await startTestValkey()
    onTestFinished(() => server.stop())
    expect(String(await server.call('INFO', 'server'))).toContain('server_name:valkey')
    const cache = await connectCache(server.url, { log })
    onTestFinished(() => cache.close())
    const far = { sinceMillis: Date.now() + minute, ttlMillis: minute }
    const { bornAtMillis } = await cache.spend('probe', far)
    const once = { sinceMillis: bornAtMillis + 1, ttlMillis: minute }
    expect(await cache.spend('id', once)).toMatchObject({ outcome: 'first' })
    expect(await cache.spend('id', once)).toMatchObject({ outcome: 'again' })
    await server.kill()
    await server.restart()
    await vi.waitFor(async () => {
      expect(await cache.spend('id', once)).toMatchObject({ outcome: 'unknown' })
    }, 8000)
  })
})

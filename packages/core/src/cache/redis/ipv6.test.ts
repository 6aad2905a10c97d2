import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '../../observation/logger.ts'
import { freePort } from '../../testing/free-port.ts'
import { withoutIPv6 } from '../../testing/ipv6.ts'
import { connectCache } from '../server.ts'
import { redisProgram, startTestRedis } from '../test-redis.ts'
import { startTestSentinel } from './test-sentinel.ts'

const reason = redisProgram ? withoutIPv6 : ' (no redis-server on PATH)'
const log = createLogger({ level: 'silent' })
const both = ['--bind', '127.0.0.1', '::1']

/** Values and messages go over it. */
async function expectUsed(url: string) {
  const cache = await connectCache(url, { log })
  onTestFinished(() => cache.close())
  const heard = vi.fn<(message: string) => void>()
  await cache.subscribe('news', heard)
  await cache.publish('news', 'heard')
  await cache.set('key', 'kept', 60_000)
  expect(await cache.take('key')).toBe('kept')
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('heard'))
}

describe.skipIf(reason)(`a cache at an address of IPv6${reason}`, () => {
  it('is used, with brackets in its address (F26)', async () => {
    const server = await startTestRedis(...both)
    onTestFinished(() => server.stop())
    await expectUsed(`redis://[::1]:${server.port}/0?prefix=shop:`)
  })

  it('is found by Sentinels that have and give such addresses (F26)', async () => {
    const sentinel = await startTestSentinel({ host: '::1' })
    onTestFinished(() => sentinel.stop())
    await expectUsed(`redis+sentinel://[::1]:1,[::1]:${sentinel.port}/0?name=mymaster`)
  })

  it('is found by a node of a Cluster that has and gives such addresses (F26)', async () => {
    const busPort = await freePort()
    const ofCluster = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]
    const node = await startTestRedis(...both, ...ofCluster, '--cluster-announce-ip', '::1')
    onTestFinished(() => node.stop())
    await node.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383)
    const isOk = async () => String(await node.call('CLUSTER', 'INFO')).includes('state:ok')
    await vi.waitFor(async () => expect(await isOk()).toBe(true), 5000)
    expect(String(await node.call('CLUSTER', 'SLOTS'))).toContain('::1')
    await expectUsed(`redis+cluster://[::1]:${node.port}`)
  })

  it('that does not answer is named with brackets', async () => {
    await expect(connectCache('redis://[::1]:1', { log })).rejects.toThrow(
      'Nothing answers at [::1]:1: start Redis or Valkey there',
    )
  })
})

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../observation/logger.ts'
import { testCache } from '../cache-suite.ts'
import { connectCache } from '../server.ts'
import { redisProgram, startTestRedis, type TestRedis } from '../test-redis.ts'

const log = createLogger({ level: 'silent' })
const reason = redisProgram ? '' : ' (no redis-server on PATH)'
const guide = readFileSync(new URL('../../../../../docs/guide/cache.md', import.meta.url), 'utf8')
const [line = ''] = /^ACL SETUSER shop .*~shop:\* .*$/m.exec(guide) ?? []
const [, ...setUser] = line.split(' ')

const urlOf = ({ url }: TestRedis, db = 0) =>
  `${url.replace('//', '//shop:password@')}/${db}?prefix=shop:`

describe.skipIf(reason)(`the user of docs/guide/cache.md${reason}`, () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startTestRedis()
    await server.call('ACL', ...setUser)
  })
  afterAll(() => server.stop())

  describe('does all that a cache does', () => {
    testCache(async () => {
      const open = () => connectCache(urlOf(server), { log })
      const [here, there] = [await open(), await open()]
      return {
        instances: [here, there],
        async stop() {
          expect(await here.isUp()).toBe(true)
          const keys = await server.call('KEYS', '*')
          await Promise.all([here.close(), there.close()])
          // All that was not permitted is in there, also where its failure is of no consequence.
          expect(await server.call('ACL', 'LOG')).toEqual([])
          expect(keys).toContain('shop:svc:born')
          expect(keys).not.toContainEqual(expect.not.stringMatching(/^shop:/))
        },
      }
    })
  })

  it('does not see what others store and publish (F26)', async () => {
    const other = urlOf(server).replace('prefix=shop:', 'prefix=blog:')
    await expect(connectCache(other, { log })).rejects.toThrow(
      /refuses a command, key or channel to the user of CACHE_URL \(NOPERM /,
    )
  })

  describe('without a right', () => {
    beforeEach(() => server.call('ACL', ...setUser))

    it.each('set get getdel del incr pexpire time eval evalsha publish subscribe'.split(' '))(
      'to %s is refused at the start (F26)',
      async (command) => {
        expect(setUser).toContain(`+${command}`)
        await server.call('ACL', 'SETUSER', 'shop', `-${command}`)
        await expect(connectCache(urlOf(server), { log })).rejects.toThrow(
          /^The cache at .* refuses a command, key or channel .*: give the user the rights that docs\/guide\/cache\.md lists\.$/,
        )
      },
    )

    it('to another database is refused at the start (F26)', async () => {
      await server.call('ACL', 'SETUSER', 'shop', '-select')
      await expect(connectCache(urlOf(server, 1), { log })).rejects.toThrow(/refuses a command/)
    })

    it('to its channels is refused at the start (F26)', async () => {
      await server.call('ACL', 'SETUSER', 'shop', 'resetchannels')
      await expect(connectCache(urlOf(server), { log })).rejects.toThrow(/refuses a command/)
    })
  })
})

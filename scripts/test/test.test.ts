import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { temporaryTree } from '../temporary-tree.ts'
import { postgresInMemory } from './postgres.ts'
import { startRedis } from './redis.ts'
import { npmTestIn, repositoryOf } from './test-test.ts'

function npmTest(files: Record<string, string>, ...args: string[]) {
  return npmTestIn(repositoryOf(files), ...args)
}

describe('npm test', { timeout: 60_000 }, () => {
  it('ends with its counts', async () => {
    const result = await npmTest({
      'a.test.mjs': `import { it } from 'vitest'\nit('a', () => {})\nit('b', () => {})\nit.skip('c')`,
    })
    expect(result.lastLine).toBe('2 passed, 0 failed, 1 skipped')
    expect(result.passed).toBe(true)
  })

  it('counts a file that does not load, and a hook that throws, as failures', async () => {
    const result = await npmTest({
      'a.test.mjs': `import { it } from 'vitest'\nit('a', () => {})`,
      'b.test.mjs': `import './missing.mjs'`,
      'c.test.mjs': `import { beforeAll, it } from 'vitest'\nbeforeAll(() => { throw new Error() })\nit('a', () => {})`,
    })
    expect(result.lastLine).toBe('1 passed, 2 failed, 1 skipped')
    expect(result.passed).toBe(false)
  })

  it('fails on a clause whose tests were all skipped although their engine is here', async () => {
    const result = await npmTest({
      'a.test.mjs': `import { it } from 'vitest'
it('held (X-001)', () => {})
it.skip('over Redis (no CACHE_URL_TEST and no redis-server) (X-001, X-002)', () => {})
it.skip('mailed (no carrier-pigeon) (X-003)', () => {})`,
    })
    expect(result.lastLine).toBe('1 passed, 1 failed, 2 skipped')
    expect(result.output).toContain('X-002: what its tests need is here')
    expect(result.output).toContain('X-003: every test of this clause was skipped')
    expect(result.output).not.toContain('X-003: what its tests need')
    expect(result.passed).toBe(false)
  })

  it('fails when no test ran', async () => {
    const result = await npmTest({})
    expect(result.lastLine).toBe('0 passed, 1 failed')
    expect(result.passed).toBe(false)
  })

  it('fails when vitest does not get to a report', async () => {
    const result = await npmTest({ 'node_modules/vitest/vitest.mjs': 'process.exit(0)' })
    expect(result.lastLine).toBe('0 passed, 1 failed')
  })
})

describe('postgresInMemory', () => {
  it('is none where there is little memory, or no such folder', () => {
    expect(postgresInMemory('/dev/shm', 2 ** 31)).toBeNull()
    expect(postgresInMemory('/no/such/folder')).toBeNull()
  })
})

describe('startRedis', () => {
  it('uses the one that is given', async () => {
    expect(await startRedis('redis://given')).toMatchObject({ url: 'redis://given' })
  })

  it('says that there is none, where none is found or can be installed', async () => {
    vi.stubEnv('PATH', '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { url, note } = await startRedis('')
    expect(url).toBeNull()
    expect(note).toContain('the tests that need one are skipped')
  })

  it('starts what it finds on a free port, and ends it', async () => {
    const standIn = `#!${process.execPath}
const { createServer } = require('node:net')
createServer((socket) => socket.on('data', () => socket.end('+PONG'))).listen(process.argv[3])`
    const root = temporaryTree({ 'redis-server': standIn })
    await runCommand(['chmod', '+x', `${root}/redis-server`])
    vi.stubEnv('PATH', root)
    onTestFinished(() => void vi.unstubAllEnvs())

    const { url, stop } = await startRedis('')
    expect(url).toMatch(/^redis:\/\/127\.0\.0\.1:\d+$/)
    await stop()
    const port = new URL(url ?? '').port
    expect(
      await runCommand([process.execPath, '-e', `require('net').connect(${port})`]),
    ).toMatchObject({
      passed: false,
    })
  })
})

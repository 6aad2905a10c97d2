import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { temporaryTree } from '../temporary-tree.ts'
import { startRedis } from './redis.ts'

const repository = resolve(import.meta.dirname, '..', '..')
const vitest = resolve(repository, 'node_modules', 'vitest')

const command = resolve(import.meta.dirname, 'test.ts')
const env = { ...process.env, CACHE_URL_TEST: 'redis://none', NO_COLOR: '1' }

/** A repository of these test files, which borrows our vitest. */
function repositoryOf(files: Record<string, string>) {
  return temporaryTree({
    'vitest.config.mjs': `export default { resolve: { alias: [{ find: /^vitest$/, replacement: '${vitest}' }] } }`,
    'node_modules/vitest/vitest.mjs': `await import('${vitest}/vitest.mjs')`,
    ...files,
  })
}

async function npmTestIn(root: string, ...args: string[]) {
  const { passed, output } = await runCommand([process.execPath, command, ...args], {
    cwd: root,
    env,
  })
  return { passed, lastLine: output.trimEnd().split('\n').at(-1), output }
}

function npmTest(files: Record<string, string>, ...args: string[]) {
  return npmTestIn(repositoryOf(files), ...args)
}

const passing = `import { it } from 'vitest'\nit('a', () => {})`

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

describe('npm test -- --shard', { timeout: 60_000 }, () => {
  it('runs its part of the files, and all parts together run each file once', async () => {
    const root = repositoryOf({
      'a.test.mjs': passing,
      'b.test.mjs': passing,
      'c.test.mjs': passing,
    })
    const first = await npmTestIn(root, '--shard', '1/2')
    const second = await npmTestIn(root, '--shard', '2/2')
    expect([first.lastLine, second.lastLine]).toEqual(['2 passed, 0 failed', '1 passed, 0 failed'])
  })
})

describe('npm test -- --changed', { timeout: 60_000 }, () => {
  const importing = (file: string) => `import { it } from 'vitest'
import './${file}'
it('a', () => {})`
  const files = {
    'a.mjs': '',
    'b.mjs': '',
    'a.test.mjs': importing('a.mjs'),
    'b.test.mjs': importing('b.mjs'),
    '.gitignore': 'node_modules',
  }

  async function committed() {
    const root = repositoryOf(files)
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']
    for (const args of [['init'], ['add', '.'], [...author, 'commit', '--message', 'Begin']]) {
      const { passed, output } = await runCommand(['git', ...args], { cwd: root })
      if (!passed) throw new Error(output)
    }
    return root
  }

  it('runs the tests that import a changed file', async () => {
    const root = await committed()
    writeFileSync(join(root, 'a.mjs'), 'throw new Error()')
    const result = await npmTestIn(root, '--changed')
    expect(result.lastLine).toBe('0 passed, 1 failed')
    expect(result.output).toContain('a.test.mjs')
    expect(result.output).not.toContain('b.test.mjs')
  })

  it('passes where no test imports one', async () => {
    const result = await npmTestIn(await committed(), '--changed')
    expect(result.output).toContain('No test imports a changed file.')
    expect(result.lastLine).toBe('0 passed, 0 failed')
    expect(result.passed).toBe(true)
  })

  it('fails where git does not know the commit', async () => {
    const result = await npmTestIn(await committed(), '--changed', 'no-such-commit')
    expect(result.lastLine).toBe('0 passed, 1 failed')
    expect(result.passed).toBe(false)
  })
})

describe('npm test -- --watch', { timeout: 60_000 }, () => {
  it('ends each run with its counts, and runs again what a change reaches', async () => {
    const root = repositoryOf({ 'a.test.mjs': passing })
    const child = spawn(process.execPath, [command, '--watch'], { cwd: root, env })
    const ended = new Promise((done) => child.on('close', done))
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    onTestFinished(async () => {
      child.kill()
      await ended
    })
    const printed = (text: string) =>
      vi.waitFor(() => expect(output).toContain(text), { timeout: 25_000, interval: 50 })

    await printed('1 passed, 0 failed\n')
    await printed('Waiting for file changes')
    writeFileSync(join(root, 'a.test.mjs'), `${passing}\nit('b', () => { throw new Error() })`)
    await printed('1 passed, 1 failed\n')
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

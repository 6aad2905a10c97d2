import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { postgresInMemory } from './postgres.ts'
import { command, env, npmTestIn, repositoryOf } from './test-test.ts'

const passing = `import { it } from 'vitest'\nit('a', () => {})`

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

describe('postgresInMemory', () => {
  it('is used by a whole run that is given no server, and by no other', async () => {
    const root = repositoryOf({
      'a.test.mjs': `import { it } from 'vitest'\nit('a', () => console.log('on', process.env.DATABASE_URL_TEST))`,
    })
    const ungiven = { ...env, DATABASE_URL_TEST: undefined }
    const outputOf = async (url: Record<string, string>, ...args: string[]) => {
      const given = { cwd: root, env: { ...ungiven, ...url } }
      return (await runCommand([process.execPath, command, ...args], given)).output
    }
    const here = postgresInMemory() === null ? 'undefined' : 'embedded:/dev/shm/svc-testing-'
    expect(await outputOf({})).toContain(`on ${here}`)
    expect(await outputOf({}, 'a.test.mjs')).toContain('on undefined')
    expect(await outputOf({ DATABASE_URL_TEST: 'postgres://given' })).toContain(
      'on postgres://given',
    )
  })
})

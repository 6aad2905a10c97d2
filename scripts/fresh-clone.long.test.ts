import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../packages/cli/src/run/run-command.ts'

const repository = resolve(import.meta.dirname, '..')

it('tests a fresh clone with nothing but Node and npm', { timeout: 600_000 }, async () => {
  const clone = await mkdtemp(join(tmpdir(), 'svc-clone-'))
  // With all packages it is a hundred thousand files: a busy disk takes minutes.
  onTestFinished(() => rm(clone, { recursive: true, force: true }), 600_000)
  await runCommand(['git', 'clone', '--quiet', repository, clone])
  const path = (process.env['PATH'] ?? '').split(delimiter)
  const env = {
    ...process.env,
    PATH: path.filter((folder) => !folder.includes('node_modules')).join(delimiter),
  }

  const tests = ['scripts/test/counts.test.ts', 'packages/core/src/routes']
  const first = await runCommand(['npm', 'test', '--', ...tests], { cwd: clone, env })
  expect(first.output).toContain('Installed in')
  expect(first.output.trim().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed$/)

  const second = await runCommand(['npm', 'test', '--', ...tests], { cwd: clone, env })
  expect(second.output).not.toContain('Installing')
  expect(second.passed).toBe(true)

  const { output } = await runCommand(['git', 'status', '--porcelain'], { cwd: clone })
  expect(output).toBe('')
})

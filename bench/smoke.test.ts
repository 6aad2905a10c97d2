import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../packages/cli/src/run/run-command.ts'

// Here rather than before the tests, because both wait more than they work.
it('runs every bench in one short round, and each variant that it compares', {
  timeout: 600_000,
}, async () => {
  const repository = join(import.meta.dirname, '..')
  const { passed, output } = await runCommand(['npm', 'run', 'bench', 'smoke'], { cwd: repository })
  expect(passed, output).toBe(true)
})

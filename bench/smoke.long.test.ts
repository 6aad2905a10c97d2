import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../packages/cli/src/run/run-command.ts'

it('runs every bench in one short round, with the peers that it compares', async () => {
  const cwd = join(import.meta.dirname, '..')
  const { passed, output } = await runCommand(['npm', 'run', 'bench', 'smoke'], { cwd })
  expect(passed, output).toBe(true)
})

import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { publicPackages } from '../packages/public-packages.ts'

const repository = resolve(import.meta.dirname, '../..')

it('packs and checks every package in a dry run, and leaves the repository as it was', {
  timeout: 1_200_000,
}, async () => {
  const status = () => runCommand(['git', 'status', '--porcelain'], { cwd: repository })
  const before = await status()
  const command = ['npm', 'run', 'release', '--', '--dry-run'] as const
  const { passed, output } = await runCommand([...command], { cwd: repository })
  expect(output).toContain('Everything holds')
  for (const { name } of publicPackages()) {
    expect(output).toMatch(new RegExp(`packed and checked ${name.replace(/^@(.+)\//, '$1-')}-`))
  }
  expect(output).toContain('A dry run: nothing was written.')
  expect(passed).toBe(true)
  expect(await status()).toEqual(before)
})

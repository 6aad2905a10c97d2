import { resolve } from 'node:path'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { temporaryTree } from '../temporary-tree.ts'

const repository = resolve(import.meta.dirname, '..', '..')
const vitest = resolve(repository, 'node_modules', 'vitest')

export const command = resolve(import.meta.dirname, 'test.ts')
export const env = { ...process.env, CACHE_URL_TEST: 'redis://none', NO_COLOR: '1' }

/** A repository of these test files, which borrows our vitest. */
export function repositoryOf(files: Record<string, string>) {
  return temporaryTree({
    'vitest.config.mjs': `export default { resolve: { alias: [{ find: /^vitest$/, replacement: '${vitest}' }] } }`,
    'node_modules/vitest/vitest.mjs': `await import('${vitest}/vitest.mjs')`,
    ...files,
  })
}

export async function npmTestIn(root: string, ...args: string[]) {
  const { passed, output } = await runCommand([process.execPath, command, ...args], {
    cwd: root,
    env,
  })
  return { passed, lastLine: output.trimEnd().split('\n').at(-1), output }
}

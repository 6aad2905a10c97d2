import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { isTest, walk } from '../../packages/cli/src/run/source-files.ts'
import { nextCommand } from '../../packages/cli/src/run/web-build.ts'
import { writePlainApp } from './plain-app.ts'

const repository = resolve(import.meta.dirname, '..', '..')
const web = join(repository, 'apps', 'starter', 'web')

/** The starter, or an application that mounts the account pages and adds nothing to them. */
export type WebAppKind = 'starter' | 'plain'

/**
 * Builds a copy of the web app and returns its folder. Next writes beside its sources, and a build
 * of the tests must not replace a developer's.
 */
export async function buildWebApp(env: NodeJS.ProcessEnv, kind: WebAppKind = 'starter') {
  // The web app sees the packages as their users do: built. `npm run check` reports faults in their
  // types.
  await runCommand(['tsc', '-b', 'tsconfig.build.json'], { cwd: repository })
  mkdirSync(join(repository, '.svc'), { recursive: true })
  const folder = mkdtempSync(join(repository, '.svc', 'web-app-'))
  if (kind === 'plain') writePlainApp(web, folder)
  else for (const path of sources()) cpSync(join(web, path), join(folder, path))

  const command = [process.execPath, ...nextCommand(web, 'build')] as const
  const { passed, output } = await runCommand([...command], { cwd: folder, env })
  if (passed) return folder
  rmSync(folder, { recursive: true })
  throw new Error(output)
}

function sources() {
  return walk(web)
    .filter(({ path, isFolder }) => !isFolder && !isTest(path) && !path.startsWith('browser/'))
    .map(({ path }) => path)
}

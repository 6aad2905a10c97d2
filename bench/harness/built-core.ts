import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const generated = fileURLToPath(new URL('../.generated/', import.meta.url))

export function compiler() {
  const require = createRequire(join(root, 'package.json'))
  return join(dirname(require.resolve('typescript/package.json')), 'lib/tsc.js')
}

/**
 * Builds `@svc/core` as a user installs it, for whatever is under `.generated`: what the repository has built may be
 * older than its source, and source costs a start and a type-check more than JavaScript and declarations do.
 */
export function buildCore() {
  return (building ??= build())
}

let building: Promise<void> | undefined

async function build() {
  const folder = join(generated, 'node_modules/@svc/core')
  const source = join(root, 'packages/core')
  const dist = join(folder, 'dist')
  rmSync(folder, { recursive: true, force: true })
  const args = [compiler(), '-p', source, '--outDir', dist, '--rootDir', join(source, 'src')]
  const flags = ['--composite', 'false', '--incremental', 'false', '--declarationMap', 'false']
  const built = await promisify(execFile)(process.execPath, [...args, ...flags]).catch(
    (error: { stdout?: string }) => error, // a type error leaves what was emitted usable
  )
  if (!existsSync(join(dist, 'index.js'))) {
    throw new Error(`@svc/core does not build: ${built.stdout?.slice(0, 400)}`)
  }
  copyFileSync(join(source, 'package.json'), join(folder, 'package.json'))
  cpSync(join(source, 'migrations'), join(folder, 'migrations'), { recursive: true })
}

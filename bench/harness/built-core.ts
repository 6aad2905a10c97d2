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
export const buildCore = () => buildPackage('core')

const building = new Map<string, Promise<void>>()

/** The same for any of the packages. */
export function buildPackage(name: string) {
  const begun = building.get(name) ?? build(name)
  building.set(name, begun)
  return begun
}

/** What a package has beside its source, where it has it. */
const beside = ['migrations', 'contract.json', 'bin']

async function build(name: string) {
  const folder = join(generated, 'node_modules/@svc', name)
  const source = join(root, 'packages', name)
  const dist = join(folder, 'dist')
  rmSync(folder, { recursive: true, force: true })
  const args = [compiler(), '-p', source, '--outDir', dist, '--rootDir', join(source, 'src')]
  const flags = ['--composite', 'false', '--incremental', 'false', '--declarationMap', 'false']
  const built = await promisify(execFile)(process.execPath, [...args, ...flags]).catch(
    (error: { stdout?: string }) => error, // a type error leaves what was emitted usable
  )
  if (!existsSync(dist)) {
    throw new Error(`@svc/${name} does not build: ${built.stdout?.slice(0, 400)}`)
  }
  copyFileSync(join(source, 'package.json'), join(folder, 'package.json'))
  for (const part of beside.filter((each) => existsSync(join(source, each)))) {
    cpSync(join(source, part), join(folder, part), { recursive: true })
  }
}

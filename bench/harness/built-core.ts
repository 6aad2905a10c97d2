import { execFile } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
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
 * Puts `@svc/core` where a user installs it, for code under `.generated`: source costs a start and
 * a type-check more than JavaScript and declarations.
 */
export const buildCore = () => buildPackage('core')

let building: Promise<void> | undefined
const copied = new Set<string>()

/** The same for any of the packages. */
export async function buildPackage(name: string) {
  building ??= build()
  await building
  if (copied.has(name)) return
  copied.add(name)
  copy(name)
}

/** A build that is not older than its source is not repeated. */
async function build() {
  const args = [compiler(), '-b', join(root, 'tsconfig.build.json')]
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error: { stdout?: string }) => error,
  )
  if (stdout) throw new Error(`The packages do not build: ${stdout.slice(0, 400)}`)
}

/** The files of an installed package, as far as it has them. */
const parts = ['package.json', 'dist', 'migrations', 'contract.json', 'bin']

function copy(name: string) {
  const [source, folder] = [
    join(root, 'packages', name),
    join(generated, 'node_modules/@svc', name),
  ]
  rmSync(folder, { recursive: true, force: true })
  for (const part of parts.filter((each) => existsSync(join(source, each)))) {
    cpSync(join(source, part), join(folder, part), { recursive: true })
  }
}

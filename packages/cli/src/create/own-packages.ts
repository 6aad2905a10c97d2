import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailure } from '../failure.ts'
import { build, runCommand, withProgress } from '../run/run.ts'
import type { StarterFiles } from './starter.ts'

const libraries = ['core', 'notification', 'auth', 'web', 'organizations']

/**
 * From a clone, an application gets the clone's packages, packed as they would be published. So it
 * needs none of them from the registry.
 */
export async function packOwnPackages(repository: string, folder: string) {
  const tsc = join(repository, 'node_modules', '.bin', 'tsc')
  await build('the packages', runCommand([tsc, '-b', 'tsconfig.build.json'], { cwd: repository }))
  const vendor = join(folder, 'vendor')
  await mkdir(vendor, { recursive: true })
  const workspaces = [...libraries, 'cli'].flatMap((name) => ['-w', `packages/${name}`])
  const { passed, output } = await withProgress(
    'Packing the packages',
    runCommand(['npm', 'pack', ...workspaces, '--pack-destination', vendor], { cwd: repository }),
  )
  if (!passed) throw new CommandFailure(`${output.trim()}\n\nPacking the packages failed.`)
}

/**
 * Uses our packages from the folder `vendor`: the application's root has them, and so its parts and
 * our packages get them.
 */
export function withOwnPackages(files: StarterFiles): StarterFiles {
  const manifest = JSON.parse(files['package.json'] ?? '')
  const { '@svc/cli': version } = manifest.devDependencies
  const dependencies = Object.fromEntries(
    libraries.map((name) => [`@svc/${name}`, fileOf(`@svc/${name}`, version)]),
  )
  const own = { '@svc/cli': fileOf('@svc/cli', version) }
  const devDependencies = { ...manifest.devDependencies, ...own }
  const pointed = { ...manifest, dependencies, devDependencies }
  return { ...files, 'package.json': `${JSON.stringify(pointed, null, 2)}\n` }
}

/** The name that npm gives to a packed package. */
function fileOf(name: string, version: string) {
  return `file:./vendor/${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

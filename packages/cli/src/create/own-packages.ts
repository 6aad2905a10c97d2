import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailure } from '../failure.ts'
import { build, runCommand, withProgress } from '../run/run.ts'
import type { StarterFiles } from './starter.ts'

const libraries = ['core', 'notification', 'auth', 'web']

/**
 * From a clone, an application is given the clone's packages, packed as they would be published: it stands by itself
 * then, whatever the registry has.
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

/** Takes ours from the folder `vendor`: what the application's root has is what its parts get, and ours of each other. */
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

/** As npm names what it packs. */
function fileOf(name: string, version: string) {
  return `file:./vendor/${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { ServerDefinition } from '@svc/core'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { loadDefinition } from './load-definition.ts'
import { type Manifest, readManifest } from './manifest.ts'

export interface Application extends Location {
  definition: ServerDefinition
}

/** Finds the application and loads its server definition. */
export async function openApplication(flags: Flags): Promise<Application> {
  const location = locate(flags)
  // As `npm run` does: so `embedded:./.svc/data` is always the same folder.
  process.chdir(location.root)
  return { ...location, definition: await loadDefinition(location.server) }
}

/** Where the application's files are. */
export interface Location {
  /** The folder of its package.json. */
  root: string
  title: string
  version: string
  server: string
  /** The file that starts the server. */
  main: string
  /** The folder of the web app; null if there is none. */
  web: string | null
  routeMap: string
  /** Where to write a document, unless it is printed. */
  out: string | undefined
  /** The committed contract to compare with. */
  against: string
}

const defaultServers = ['server.ts', 'api/server.ts']

/** Next finds its configuration in any of these. */
const webConfigs = ['next.config.ts', 'next.config.mjs', 'next.config.js']

/**
 * Flags win over package.json, and package.json over the defaults. Paths in flags are relative to
 * the current folder, others to that of package.json.
 */
export function locate(flags: Flags, directory = process.cwd()): Location {
  const root = nearestPackage(directory)
  const manifest = readManifest(root)
  const server = flags.server
    ? serverFromFlag(resolve(directory, flags.server), flags.server)
    : serverFromPackage(root, manifest)
  const { name = basename(root), version = '0.0.0', svc = {} } = manifest
  const routeMap = flags['route-map']
    ? resolve(directory, flags['route-map'])
    : resolve(root, svc.routeMap ?? join(dirname(server), 'route-map.generated.ts'))
  const main = resolve(root, svc.main ?? join(dirname(server), 'main.ts'))
  const web = webFolder(root, svc)
  const out = flags.out && resolve(directory, flags.out)
  const against = flags.against ? resolve(directory, flags.against) : resolve(root, 'contract.json')
  return { root, title: name, version, server, main, web, routeMap, out, against }
}

export function nearestPackage(directory: string): string {
  const found = folderOfApplication(directory)
  if (found !== null) return found
  throw new CommandFailure(
    'There is no package.json here or in a folder above. Run svc in the folder of the application.',
  )
}

/** Null if there is no package.json here or in a folder above. */
export function folderOfApplication(directory = process.cwd()): string | null {
  if (existsSync(join(directory, 'package.json'))) return directory
  const above = dirname(directory)
  return above === directory ? null : folderOfApplication(above)
}

function serverFromFlag(file: string, written: string) {
  if (existsSync(file)) return file
  throw new CommandFailure(`There is no file ${written}: correct --server.`)
}

function serverFromPackage(root: string, { svc }: Manifest) {
  if (svc?.server) {
    const file = resolve(root, svc.server)
    if (existsSync(file)) return file
    throw new CommandFailure(
      `There is no file ${svc.server}: correct "svc": { "server": … } in ${join(root, 'package.json')}.`,
    )
  }
  const found = defaultServers.map((name) => join(root, name)).find((file) => existsSync(file))
  if (found) return found
  throw new CommandFailure(
    `There is no ${defaultServers.join(' or ')} in ${root}: write "svc": { "server": "./path/to/server.ts" } in its package.json.`,
  )
}

function webFolder(root: string, { web }: NonNullable<Manifest['svc']>) {
  if (web) return resolve(root, web)
  const isWeb = (folder: string) => webConfigs.some((name) => existsSync(join(folder, name)))
  return [join(root, 'web'), root].find(isWeb) ?? null
}

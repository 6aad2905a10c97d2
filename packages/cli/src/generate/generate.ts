import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import type { Application } from '../application/application.ts'
import type { Flags } from '../flags.ts'
import { paint } from '../terminal.ts'
import { type Migration, nextMigration, PossibleRenamingError } from './next-migration.ts'
import { type RouteMapChange, routeMapChange } from './route-map-change.ts'
import { type Tables, tablesOf } from './tables.ts'

/** Writes what follows from the server definition, or with `check` only says what it would write. */
export async function generate(application: Application, flags: Flags) {
  if (flags.routes) return follow(application)
  const lines = flags.check ? await outOfDate(application) : await write(application, flags)
  if (lines.length === 0) {
    console.log('nothing changed')
    return 0
  }
  for (const line of lines) console.log(line)
  if (!flags.check) return 0
  console.log('Run "svc generate", and commit what it writes.')
  return 1
}

/** Both are known before either is written: where one is refused, the other is not written. */
async function write(application: Application, { name, 'fill-by-hand': isFilledByHand }: Flags) {
  const routeMap = await routeMapChange(application)
  const tables = tablesOf(application)
  const migration = tables && (await nextMigration(tables, { name, isFilledByHand }))
  if (migration) await writeMigration(migration)
  if (routeMap) await writeRouteMap(routeMap)
  return [
    routeMap && `${shown(routeMap.file)} (${routeMap.what})`,
    migration && shown(migration.file),
  ]
    .filter((file) => file !== null)
    .map((file) => `${paint('green', 'wrote')} ${file}`)
}

/** What "svc dev" asks for at each change: nothing is said where nothing changed. */
async function follow(application: Application) {
  const routeMap = await routeMapChange(application)
  if (routeMap) {
    await writeRouteMap(routeMap)
    console.log(`routes changed: wrote ${shown(routeMap.file)} (${routeMap.what})`)
  }
  const tables = tablesOf(application)
  if (tables && (await haveTablesChanged(tables))) {
    console.log('tables changed: "npx @svc/cli generate --name what-changed" writes the migration')
  }
  return 0
}

async function writeMigration({ file, sql, snapshot }: Migration) {
  await mkdir(dirname(snapshot.file), { recursive: true })
  await writeFile(file, sql, { flag: 'wx' })
  await writeFile(snapshot.file, snapshot.contents)
}

async function writeRouteMap({ file, contents }: RouteMapChange) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, contents)
}

async function outOfDate(application: Application) {
  const routeMap = await routeMapChange(application)
  const tables = tablesOf(application)
  const hasChanged = tables && (await haveTablesChanged(tables))
  return [
    routeMap && `${shown(routeMap.file)} is not what the router says`,
    hasChanged && `${shown(tables.directory)} lacks a migration, because the tables changed`,
  ]
    .filter((line) => typeof line === 'string')
    .map((line) => `${paint('red', 'out of date')}: ${line}`)
}

async function haveTablesChanged(tables: Tables) {
  // A check asks nothing: without a terminal, drizzle-kit refuses where it would ask.
  process.stdin.isTTY = false
  try {
    return (await nextMigration(tables, { isFilledByHand: true })) !== null
  } catch (error) {
    if (error instanceof PossibleRenamingError) return true
    throw error
  }
}

function shown(file: string) {
  return relative(process.cwd(), file)
}

import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Application } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'

export interface Tables {
  /** Everything that the schema files export. Exports that are not tables are ignored. */
  schema: Record<string, unknown>
  /** The folder of the migrations. */
  directory: string
}

/**
 * The application's tables, and those of its capabilities, each with the folder of its migrations.
 */
export function tablesOf({ definition, root }: Application): Tables[] {
  const { lifecycles, database } = definition.settings
  const ofCapabilities = lifecycles
    .flatMap(({ migrations = [] }) => migrations)
    .flatMap(({ tables, directory }) =>
      tables ? [{ schema: { ...tables }, directory: pathOf(directory) }] : [],
    )
    // An installed package brings its own migrations.
    .filter(({ directory }) => isOwnFolder(root, directory))
  if (!database.schema) return ofCapabilities
  if (!database.migrations) {
    throw new CommandFailure(
      "The server has tables and no folder for their migrations: write .database({ schema, migrations: new URL('./migrations/', import.meta.url) }).",
    )
  }
  return [
    { schema: database.schema, directory: fileURLToPath(database.migrations) },
    ...ofCapabilities,
  ]
}

function pathOf(directory: string | URL) {
  return directory instanceof URL ? fileURLToPath(directory) : directory
}

function isOwnFolder(root: string, directory: string) {
  const path = relative(root, directory)
  const isBelow = !path.startsWith('..') && !isAbsolute(path)
  return isBelow && !path.includes(join('node_modules', ''))
}

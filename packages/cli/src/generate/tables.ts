import { fileURLToPath } from 'node:url'
import type { Application } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'

export interface Tables {
  /** Everything the schema files export; what is not a table is passed over. */
  schema: Record<string, unknown>
  /** The folder of the migrations. */
  directory: string
}

/** The application's tables with the folder of its migrations; null when it has none. */
export function tablesOf({ definition }: Application): Tables | null {
  const { schema, migrations } = definition.settings.database
  if (!schema) return null
  if (!migrations) {
    throw new CommandFailure(
      "The server has tables and no folder for their migrations: write .database({ schema, migrations: new URL('./migrations/', import.meta.url) }).",
    )
  }
  return { schema, directory: fileURLToPath(migrations) }
}

import { createLogger, migrationSources, readServerEnv } from '@svc/core'
import {
  appliesMigrations,
  connectDatabase,
  databaseUrl,
  requireUpToDate,
} from '@svc/core/database'
import type { Application } from '../application/application.ts'
import { givenEnvironment } from '../env.ts'

/** Refuses where the server would, which asks only after a build. */
export async function requireMigrated({ definition }: Application) {
  const env = readServerEnv(givenEnvironment())
  const url = databaseUrl(definition, env)
  if (!url || appliesMigrations(env)) return
  const log = createLogger({ level: 'silent' })
  const database = await connectDatabase(url, { log })
  try {
    await requireUpToDate(database, migrationSources(definition))
  } finally {
    await database.close()
  }
}

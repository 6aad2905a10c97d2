import type { Log, ServerDefinition } from '@svc/core'
import { connectDatabase, type Database, databaseUrl } from '@svc/core/database'
import { readEnv } from '../env.ts'
import { CommandFailure } from '../failure.ts'

/** Runs on the database that the application would start on, and closes it. */
export async function withDatabase<Result>(
  definition: ServerDefinition,
  log: Log,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const onProgress = (step: string) => console.error(step)
  const database = await connectDatabase(urlFor(definition), { log, onProgress })
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

function urlFor(definition: ServerDefinition) {
  const url = databaseUrl(definition, readEnv())
  if (url) return url
  throw new CommandFailure('This application has no database: it declares no tables and no jobs.')
}

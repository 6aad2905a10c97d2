import type { Log, ServerDefinition } from '@svc/core'
import { connectDatabase, type Database, databaseUrl } from '@svc/core/database'
import { readEnv } from '../env.ts'
import { CommandFailure } from '../failure.ts'
import { readEnvFile } from '../keys/env-file.ts'

/** Runs on the database that the application would start on, and closes it. */
export async function withDatabase<Result>(
  definition: ServerDefinition,
  log: Log,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const onProgress = (step: string) => console.error(step)
  const url = urlFor(definition)
  tellDefault(url)
  const database = await connectDatabase(url, { log, onProgress })
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

/** Nobody may take the database of development for the one that they meant. */
function tellDefault(url: string) {
  if (readEnv().DATABASE_URL) return
  const isInFile = Boolean(readEnvFile()['DATABASE_URL'])
  const aside = isInFile ? '; what .env says of it counts for "svc dev" and "svc start" alone' : ''
  console.error(`on ${url}, because DATABASE_URL is not set${aside}`)
}

function urlFor(definition: ServerDefinition) {
  const url = databaseUrl(definition, readEnv())
  if (url) return url
  throw new CommandFailure('This application has no database: it declares no tables and no jobs.')
}

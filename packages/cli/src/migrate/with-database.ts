import type { Log, ServerDefinition } from '@svc/core'
import { connectDatabase, type Database, databaseUrl } from '@svc/core/database'
import { envFile, givenEnvironment, readEnv, readEnvFile } from '../env.ts'
import { CommandFailure } from '../failure.ts'

/** Runs on the database that the application would start on, and closes it. */
export async function withDatabase<Result>(
  definition: ServerDefinition,
  log: Log,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const onProgress = (step: string) => console.error(step)
  const url = namedDatabase(definition)
  const database = await connectDatabase(url, { log, onProgress })
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

/** The address of the database, which is told where it was not given with the command. */
export function namedDatabase(definition: ServerDefinition) {
  const url = urlFor(definition)
  tellUnlessGiven(url)
  return url
}

/** Nobody may take the database of development, or that of a file they forgot, for the one that they meant. */
function tellUnlessGiven(url: string) {
  if (readEnv().DATABASE_URL) return
  const isInFile = readEnvFile()['DATABASE_URL'] === url
  console.error(
    isInFile ? `on the DATABASE_URL of ${envFile}` : `on ${url}, because DATABASE_URL is not set`,
  )
}

function urlFor(definition: ServerDefinition) {
  const url = databaseUrl(definition, readEnv(givenEnvironment()))
  if (url) return url
  throw new CommandFailure('This application has no database: it declares no tables and no jobs.')
}

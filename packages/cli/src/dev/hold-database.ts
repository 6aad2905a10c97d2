import { developmentDatabase, holdEmbedded } from '@svc/core/database'
import { readDatabaseEnv } from '../database-env.ts'

/**
 * Keeps the embedded database up over a restart of the API, which would stop it as its last user. Where there is none
 * yet, the API makes it, if it wants one at all: `join` is then for later.
 */
export function holdDatabase(env: NodeJS.ProcessEnv) {
  let held: ReturnType<typeof holdEmbedded> = Promise.resolve(null)
  return {
    async join() {
      if ((await held) !== null) return
      // What is wrong with it, the API says.
      held = hold(env).catch(() => null)
      await held
    },
    async leave() {
      await (await held)?.stop()
    },
  }
}

async function hold(env: NodeJS.ProcessEnv) {
  return holdEmbedded(readDatabaseEnv(env).DATABASE_URL ?? developmentDatabase)
}

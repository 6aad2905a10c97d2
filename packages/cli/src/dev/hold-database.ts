import { developmentDatabase, holdEmbedded } from '@svc/core/database'
import { readDatabaseEnv } from '../database-env.ts'

/**
 * Keeps the embedded database running over a restart of the API, which would stop it as its last
 * user. If there is none yet, the API makes it if it needs one, and `join` is called later.
 */
export function holdDatabase(env: NodeJS.ProcessEnv) {
  let held: ReturnType<typeof holdEmbedded> = Promise.resolve(null)
  return {
    async join() {
      if ((await held) !== null) return
      // The API reports what is wrong with it.
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

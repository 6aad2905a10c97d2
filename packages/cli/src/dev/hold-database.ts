import { developmentDatabase, holdEmbedded } from '@svc/core/database'

/**
 * Keeps the embedded database up over a restart of the API, which would stop it as its last user. Where there is none
 * yet, the API makes it, if it wants one at all: `join` is then for later.
 */
export function holdDatabase({ DATABASE_URL }: NodeJS.ProcessEnv) {
  let held: ReturnType<typeof holdEmbedded> = Promise.resolve(null)
  return {
    async join() {
      if ((await held) !== null) return
      // What is wrong with it, the API says.
      held = holdEmbedded(DATABASE_URL || developmentDatabase).catch(() => null)
      await held
    },
    async leave() {
      await (await held)?.stop()
    },
  }
}

import { createLogger, migrationSources } from '@svc/core'
import { migrate } from '@svc/core/database'
import type { Application } from '../application/application.ts'
import { paint } from '../terminal.ts'
import { withDatabase } from './with-database.ts'

/** Applies what is pending, and says each file as it is done. */
export async function migratePending({ definition }: Application) {
  let applied = 0
  const log = createLogger({
    destination: {
      write(line) {
        const { level, source, migration, msg } = JSON.parse(line)
        if (!migration) return
        if (level !== 'info') return console.error(`${source}/${migration}: ${msg}`)
        applied += 1
        console.log(`${paint('green', 'applied')} ${source}/${migration}`)
      },
    },
  })
  await withDatabase(definition, log, (database) =>
    migrate(database, migrationSources(definition), { log }),
  )
  if (applied === 0) console.log('nothing pending')
  return 0
}

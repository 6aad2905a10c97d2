import { spawn } from 'node:child_process'
import { openServer } from '@svc/core/database'
import type { Application } from '../application/application.ts'
import { inheritedEnvironment } from '../env.ts'
import { namedDatabase } from '../migrate/migrate.ts'
import { stopAsked } from '../run/run.ts'
import { connectionOf } from './connection.ts'

/** Says how to connect to the application's database, and opens psql if it is installed. */
export async function openDatabase({ definition }: Application) {
  const url = namedDatabase(definition)
  const server = await openServer(url, (step) => console.error(step))
  try {
    const connection = connectionOf(server.ownerUrl ?? server.url, url)
    console.log(connection.description)
    const code = await psql(connection)
    if (code !== null) return code
    console.log('\npsql is not installed here. Install it, or use these values in another client.')
    if (url.startsWith('embedded:') && process.stdin.isTTY) await keepUp()
    return 0
  } finally {
    await server.stop()
  }
}

/**
 * Its exit code; null if psql is not installed. The password is in no argument, because every user
 * of the machine can read those.
 */
function psql({ address, password }: ReturnType<typeof connectionOf>) {
  // Ctrl-C is for psql: it cancels a statement there.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  const env = { ...inheritedEnvironment(), ...(password && { PGPASSWORD: password }) }
  const child = spawn('psql', [address], { stdio: 'inherit', env })
  return new Promise<number | null>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? resolve(null) : reject(error),
    )
    child.on('exit', (code) => resolve(code ?? 1))
  }).finally(() => process.off('SIGINT', ignore))
}

async function keepUp() {
  console.log('The database runs until you press Ctrl-C.')
  await stopAsked()
}

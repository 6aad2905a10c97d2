import { createLogger, type ServerDefinition, type SignedOutEveryone, systemClock } from '@svc/core'
import type { Database } from '@svc/core/database'
import type { Application } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { refusePending, withDatabase } from '../migrate/migrate.ts'
import { aligned, paint } from '../terminal.ts'
import { confirmed } from './confirmed.ts'

/** Signs everyone out on the database of the application, after the user has confirmed. */
export async function signOutEveryone({ definition }: Application, flags: Flags) {
  const run = signOutOf(definition)
  const log = createLogger({ level: 'warn' })
  return withDatabase(definition, log, async (database) => {
    await refusePending(database, definition)
    console.log(`${warning(await nameOf(database))}\n`)
    if (!(await confirmed({ isGiven: flags.yes === true }))) {
      console.log('Nothing has changed.')
      return 1
    }
    const signedOut = await run({ database, clock: systemClock, onProgress: tellProgress })
    console.log(summary(signedOut))
    return 0
  })
}

function signOutOf({ settings }: ServerDefinition) {
  const run = settings.lifecycles.find(({ signOutEveryone: has }) => has)?.signOutEveryone
  if (run) return run
  throw new CommandFailure(
    'This application has no accounts. Add .lifecycle(createAuthLifecycle()) from @svc/auth/server to its server definition.',
  )
}

/** The name as the server reports it: the URL contains the password. */
async function nameOf({ pool }: Database) {
  const { rows } = await pool.query<{ name: string; host: string | null }>(
    'select current_database() as name, host(inet_server_addr()) as host',
  )
  return rows.map(({ name, host }) => (host === null ? name : `${name} on ${host}`)).join()
}

function warning(database: string) {
  return `${paint('bold', `This signs everyone out, on the database ${database}:`)}

  - every device and program of every account, yours too
  - every agent that an account allowed
  - mailed links, invitations, codes, and sign-ins in progress

Passwords, passkeys, second factors and linked accounts stay, so people can sign in again. Running
instances refuse the next request, and close open streams within a minute.`
}

const tellEvery = 10_000

function tellProgress(accounts: number) {
  if (accounts % tellEvery === 0) console.error(`${counted(accounts)} accounts`)
}

const counted = (count: number) => count.toLocaleString('en')

function summary(signedOut: SignedOutEveryone) {
  const rows: [string, number][] = [
    ['accounts', signedOut.accounts],
    ['devices signed out', signedOut.devices],
    ['programs signed out', signedOut.programs],
    ['agents disconnected', signedOut.agents],
    ['mailed links ended', signedOut.links],
    ['codes ended', signedOut.codes],
    ['waiting devices refused', signedOut.waitingDevices],
    ['sign-ins in progress ended', signedOut.signIns],
    ['invitations to send again', signedOut.invitations],
  ]
  const width = Math.max(...rows.map(([, count]) => counted(count).length))
  const cells = rows.map(([what, count]) => [what, counted(count).padStart(width)])
  return `${paint('green', 'Everyone is signed out.')}\n\n${aligned(cells)
    .map((row) => `  ${row.join('   ')}`)
    .join('\n')}`
}

import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { locate, openApplication } from '../application/application.ts'
import { givenEnvironment, readEnv } from '../env.ts'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { type Layout, typedCommand } from '../run/run.ts'
import { runApplication } from './run-application.ts'

/** Builds what has changed and runs it, as it is deployed. */
export async function start(flags: Flags) {
  const command = typedCommand('start', { ...flags })
  const prepare = () => checkForProduction(flags)
  return runApplication({ ...enterApplication(flags), command, prepare })
}

/**
 * Before the build, which takes a while. Some problems would otherwise appear only at the first
 * request.
 */
async function checkForProduction(flags: Flags) {
  const { NODE_ENV } = readEnv(givenEnvironment())
  if (NODE_ENV !== 'production') return
  const { checkKeys } = await import('../keys/keys.ts')
  const application = await openApplication(flags)
  const asked = flags['api-only'] ? { ...application, web: null } : application
  if ((await checkKeys(asked)) !== 0) {
    throw new CommandFailure('Nothing was built or started. Fix what is marked above first.')
  }
  const { requireMigrated } = await import('../migrate/migrate.ts')
  await requireMigrated(application)
}

/** Runs it, and restarts it on every change. */
export async function develop(flags: Flags) {
  const command = typedCommand('dev', { ...flags })
  const { server } = locate(flags)
  return runApplication({ ...enterApplication(flags), command, watching: { server } })
}

/**
 * Finds the application, and changes to its folder as `npm run` does: so `embedded:./.svc/data` is
 * always the same folder.
 */
function enterApplication(flags: Flags): Layout {
  const { root, main: mainFile, web: webFolder } = locate(flags)
  process.chdir(root)
  const main = relative(root, mainFile)
  requireMain(main)
  const web = webFolder === null || flags['api-only'] ? null : relative(root, webFolder) || '.'
  return { main, web, variables: '.env', inputs: inputsOf({ main, web }) }
}

function requireMain(main: string) {
  if (existsSync(main)) return
  throw new CommandFailure(
    `There is no ${main}, which starts the server: "await runServer(server)" with what server.ts exports.
If it has another name, write "svc": { "main": "./path/to/it.ts" } in package.json.`,
  )
}

/** A web app includes types and route maps of the API. */
function inputsOf({ main, web }: Pick<Layout, 'main' | 'web'>) {
  if (web === null) return []
  const folders = new Set([join(dirname(main), '.'), web])
  const all = folders.has('.') ? ['.'] : [...folders]
  return [...['package.json', 'package-lock.json'].filter((file) => existsSync(file)), ...all]
}

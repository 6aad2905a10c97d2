import { join } from 'node:path'
import { CommandFailure } from '../../packages/cli/src/failure.ts'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { build } from '../../packages/cli/src/run/with-progress.ts'
import { runApplication } from '../../packages/cli/src/start/run-application.ts'
import { nearest } from '../../packages/core/src/nearest.ts'

const help = `npm start            build what changed, run the API and the web app
npm start -- --api   the API alone; the web app is neither built nor run (or --api-only, as "svc start" has it)

Variables, among all others, which are passed on:
  SVC_PORT       the API's port (8790)
  PORT           the web app's port (3790)
  DATABASE_URL   embedded:./.svc/data, or postgres://…`

const flags = { api: ['--api', '--api-only'], help: ['--help', '-h'] }
const known = Object.values(flags).flat()

const args = process.argv.slice(2)
const has = (names: string[]) => args.some((each) => names.includes(each))
const unknown = args.find((each) => !known.includes(each))
const starter = join('apps', 'starter')

if (unknown !== undefined) {
  const meant = nearest(unknown, known)
  const hint = meant ? `Did you mean "${meant}"?` : 'See "npm start -- --help".'
  console.error(`npm start does not take "${unknown}". ${hint}`)
  process.exit(2)
}
if (has(flags.help)) console.log(help)
else process.exit(await start())

/**
 * Runs the starter on the packages of this repository, as `svc start` runs an application on
 * installed ones.
 */
async function start() {
  try {
    return await runApplication({
      main: join(starter, 'api', 'main.ts'),
      web: has(flags.api) ? null : join(starter, 'web'),
      variables: join(starter, '.env'),
      inputs: ['package-lock.json', 'packages/core', 'packages/auth', 'packages/web', starter],
      command: ['npm start', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
      prepare: () => build('the packages', runCommand(['tsc', '-b', 'tsconfig.build.json'])),
    })
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    console.error(`\n${error.message}`)
    return error.exitCode
  }
}

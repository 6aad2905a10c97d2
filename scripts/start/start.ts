import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandFailure } from '../../packages/cli/src/failure.ts'
import { runApplication } from '../../packages/cli/src/run/run-application.ts'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { build } from '../../packages/cli/src/run/with-progress.ts'

const help = `npm start            build what changed, run the API and the web app
npm start -- --api   the API alone; the web app is neither built nor run

Variables, among all others, which are passed on:
  SVC_PORT       the API's port (8790)
  PORT           the web app's port (3790)
  DATABASE_URL   embedded:./.svc/data, or postgres://…`

const { values } = parseArgs({
  options: { api: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
})
const starter = join('apps', 'starter')

if (values.help) console.log(help)
else process.exit(await start())

/** Runs the starter on the packages of this repository, as `svc start` does an application on those that are installed. */
async function start() {
  try {
    return await runApplication({
      main: join(starter, 'api', 'main.ts'),
      web: values.api ? null : join(starter, 'web'),
      variables: join(starter, '.env'),
      inputs: ['package-lock.json', 'packages/core', 'packages/auth', 'packages/web', starter],
      command: 'npm start',
      prepare: () => build('the packages', runCommand(['tsc', '-b', 'tsconfig.build.json'])),
    })
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    console.error(`\n${error.message}`)
    return error.exitCode
  }
}

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from '../run-command.ts'
import { fileVariables, partsEnvironment, webEnvironment } from './environment.ts'
import { type Part, type RunningPart, startPart } from './part.ts'
import { isFree, isPort } from './ports.ts'
import { buildWeb, nextCommand, noteServing, webFolder } from './web-build.ts'
import { welcome } from './welcome.ts'

const help = `npm start            build what changed, run the API and the web app
npm start -- --api   the API alone; the web app is neither built nor run

Variables, among all others, which are passed on:
  SVC_PORT       the API's port (8790)
  PORT           the web app's port (3790)
  DATABASE_URL   embedded:./.svc/data, or postgres://…`

const { values } = parseArgs({
  options: { api: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
})
const running: RunningPart[] = []
let isStopping = false

if (values.help) console.log(help)
else await start()

async function start() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void end(0))
  }
  // What was given with the command counts before what stands in the file.
  const given = { ...fileVariables('apps/starter/.env'), ...process.env }
  const parts = partsEnvironment(given, { isApiOnly: values.api })
  const { env, ports, urls } = parts
  if (!values.api && ports.api === ports.web) {
    await fail(`SVC_PORT and PORT are both ${ports.api}. The API and the web app need one each.`)
  }
  await requireFree('SVC_PORT', ports.api)
  if (!values.api) await requireFree('PORT', ports.web)

  const packages = runCommand(['tsc', '-b', 'tsconfig.build.json'])
  await build('the packages', packages)
  const api = run({
    name: 'API',
    args: [join('apps', 'starter', 'api', 'main.ts')],
    cwd: '.',
    env,
    readyUrl: `${urls.api}/_core/health/ready`,
  })
  if (values.api) await api
  else {
    const webEnv = webEnvironment(env)
    await Promise.all([api, build('the web app', buildWeb(webEnv))])
    noteServing(ports.web)
    await run({
      name: 'Web app',
      args: nextCommand('start', '--port', `${ports.web}`),
      cwd: webFolder,
      env: webEnv,
      readyUrl: urls.web,
    })
  }
  if (!isStopping) console.log(welcome(parts, values.api))
}

async function requireFree(variable: string, port: number) {
  if (!isPort(port)) await fail(`${variable} is not a port (1 to 65535).`)
  if (await isFree(port)) return
  await fail(`Port ${port} is taken. Choose another one: ${variable}=${port + 1} npm start`)
}

async function build(what: string, work: Promise<{ passed: boolean; output: string }>) {
  const { passed, output } = await withProgress(`Building ${what}`, work)
  if (!passed) await fail(`${output.trim()}\n\nBuilding ${what} failed; what it printed is above.`)
}

/** Starts a part and waits until it is ready. From then on its end is the end of everything. */
async function run(part: Part) {
  const started = startPart(part)
  running.push(started)
  void started.ended.then((how) =>
    fail(`${part.name} ${how}. Its last lines:\n\n${started.lastLines()}`),
  )
  const isReady = await withProgress(`Starting: ${part.name}`, started.isReady())
  if (!isReady) await fail(`${part.name} does not answer on ${part.readyUrl}.`)
}

async function withProgress<Result>(what: string, work: Promise<Result>) {
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  const progress = setInterval(() => console.log(`${what} … ${seconds()} s`), 5_000)
  const result = await work
  clearInterval(progress)
  return result
}

async function fail(message: string) {
  if (isStopping) return
  console.error(`\n${message}`)
  await end(1)
}

async function end(exitCode: number) {
  if (isStopping) return
  isStopping = true
  await Promise.all(running.map((part) => part.stop()))
  process.exit(exitCode)
}

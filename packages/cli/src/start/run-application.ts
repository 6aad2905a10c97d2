import { givenEnvironment } from '../env.ts'
import { partsEnvironment, webEnvironment } from '../environment/environment.ts'
import { CommandFailure } from '../failure.ts'
import {
  build,
  buildWeb,
  type Layout,
  nextCommand,
  noteServing,
  Parts,
  requirePorts,
  serveCommand,
  stopAsked,
  type WithWeb,
} from '../run/run.ts'
import { welcome } from './welcome.ts'

interface Run extends Layout {
  /** The command as the user typed it, for messages. */
  command: string
  /** Restarts on every change, instead of building once. `server` is the file of the definition. */
  watching?: { server: string }
  /** Runs before everything else, if the application is part of something larger. */
  prepare?: () => Promise<void>
}

type Started = ReturnType<typeof partsEnvironment>

/**
 * Runs an application until the user ends it, with exit code 0. If a part ends by itself, throws a
 * `CommandFailure`.
 */
export async function runApplication(run: Run) {
  const stop = stopAsked()
  const parts = new Parts()
  const runs = async () => {
    await bringUp(run, parts)
    await parts.failed
  }
  try {
    await Promise.race([stop, parts.failed, runs()])
  } finally {
    await parts.stop()
  }
  return 0
}

async function bringUp(run: Run, parts: Parts) {
  const started = partsEnvironment(givenEnvironment(run.variables), { isApiOnly: run.web === null })
  await refuseTakenPorts(run, started)
  await run.prepare?.()
  const api = startApi(run, started, parts)
  await (hasWeb(run) ? Promise.all([api, startWeb(run, { started, parts, api })]) : api)
  console.log(await welcome(started, { hasWeb: hasWeb(run) }))
}

const hasWeb = <Any extends Layout>(layout: Any): layout is Any & WithWeb => layout.web !== null

async function refuseTakenPorts({ web, command }: Run, { ports }: Started) {
  if (web !== null && ports.api === ports.web) {
    throw new CommandFailure(
      `SVC_PORT and PORT are both ${ports.api}. The API and the web app each need their own port.`,
    )
  }
  const ofApi = { variable: 'SVC_PORT', port: ports.api }
  const ofWeb = { variable: 'PORT', port: ports.web }
  await requirePorts(web === null ? [ofApi] : [ofApi, ofWeb], command)
}

/** Code that you are editing may be broken for a while, so waiting for it has no limit. */
const patience = ({ watching }: Run) => (watching ? { readyMillis: Infinity } : {})

function startApi(run: Run, { env, urls, ports }: Started, parts: Parts) {
  const readyUrl = `${urls.api}/_core/health/ready`
  // In production, a collector reads the log as JSON.
  const isLogRead = env['NODE_ENV'] !== 'production'
  const part = { name: 'API', args: [run.main], cwd: '.', env, readyUrl, isLogRead }
  const { watching } = run
  if (!watching) {
    const args = ['--import', import.meta.resolve('#syntax-failure'), ...part.args]
    return parts.start({
      ...part,
      args,
      env: { ...env, SVC_PROCESSES: env['SVC_PROCESSES'] || 'auto' },
    })
  }
  return parts.start(part, async (given) => {
    const { developApi } = await import('../dev/dev.ts')
    return developApi(given, { ...watching, port: ports.api })
  })
}

/** The same host as the API: by default, Next opens an app in development to the whole network. */
function listenAt({ SVC_HOST }: NodeJS.ProcessEnv) {
  return ['--hostname', SVC_HOST || 'localhost']
}

interface Beside {
  started: Started
  parts: Parts
  api: Promise<void>
}

async function startWeb(run: Run & WithWeb, { started, parts, api }: Beside) {
  const env = webEnvironment(started.env, { isWatching: run.watching !== undefined })
  const { ports, urls } = started
  // It is built and served for production, but it may run on a developer's machine.
  const isProduction = started.env['NODE_ENV'] === 'production'
  if (!run.watching) {
    await Promise.all([api, build('the web app', buildWeb(run, env))])
    noteServing(run.web, ports.web)
  }
  await parts.start({
    name: 'Web app',
    args: run.watching
      ? nextCommand(run.web, 'dev', '--port', `${ports.web}`, ...listenAt(env))
      : [...serveCommand(run.web, ports.web), ...(isProduction ? [] : listenAt(env))],
    cwd: run.web,
    env,
    readyUrl: urls.web,
    ...patience(run),
  })
}

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { CommandFailure } from '../failure.ts'
import { runCommand } from './run-command.ts'
import { isTest, walk } from './source-files.ts'

/**
 * Where the parts of an application are. Every path is relative to its root, where all of them are
 * started.
 */
export interface Layout {
  /** The file that starts the server. */
  main: string
  /** The folder of the web app; null if there is none. */
  web: string | null
  /** The hand-written file of variables. */
  variables: string
  /** The files and folders that go into a build of the web app. */
  inputs: readonly string[]
}

export type WithWeb = Layout & { web: string }

/** The files that a build writes beside its inputs. */
const written = /(next-env\.d\.ts|\.tsbuildinfo)$/

/** The arguments with which Node runs Next's command for a web app. */
export function nextCommand(web: string, ...args: string[]) {
  const { resolve: find } = createRequire(resolve(web, 'package.json'))
  return [find('next/dist/bin/next'), ...args]
}

/**
 * The arguments with which Node serves a built web app: behind the front of @svc/web, which the app
 * has installed.
 */
export function serveCommand(web: string, port: number | string) {
  return [frontOf(web), '--port', `${port}`]
}

function frontOf(web: string) {
  const { resolve: find } = createRequire(resolve(web, 'package.json'))
  try {
    return join(dirname(find('@svc/web/package.json')), 'bin', 'svc-web.js')
  } catch {
    throw new CommandFailure(
      `The web app is served by @svc/web: run "npm install @svc/web" in ${web}.`,
    )
  }
}

/** Builds the web app, unless its last build was of the same files and public variables. */
export async function buildWeb({ web, inputs }: WithWeb, env: NodeJS.ProcessEnv) {
  const stamp = join(web, '.next', 'svc-build')
  const digest = digestOfInputs(inputs, env)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(web, digest)) {
    return { passed: true, output: '' }
  }
  const server = servedBy(web)
  if (server !== null) return { passed: false, output: alreadyServed(server) }
  const [program, ...args] = [process.execPath, ...nextCommand(web, 'build')]
  const { passed, output } = await runCommand([program, ...args], { cwd: web, env })
  if (passed) writeFileSync(stamp, stampOf(web, digest))
  return { passed, output }
}

/** Notes which process serves the build from now on: another build would remove its files. */
export function noteServing(web: string, port: number) {
  writeFileSync(serving(web), JSON.stringify({ pid: process.pid, port }))
}

const serving = (web: string) => join(web, '.next', 'svc-serving')

interface WebServer {
  pid: number
  port: number
}

/** The process that serves the build right now, if there is one. */
function servedBy(web: string): WebServer | null {
  if (!existsSync(serving(web))) return null
  const server: WebServer = JSON.parse(readFileSync(serving(web), 'utf8'))
  try {
    process.kill(server.pid, 0)
    return server
  } catch {
    return null
  }
}

function alreadyServed({ pid, port }: WebServer) {
  return (
    `The web app of this folder is already running, at http://localhost:${port} (process ${pid}). A build for other ` +
    'addresses or newer files would break its pages. Stop it first, or start from another copy.'
  )
}

/** A build by hand has another id, so it is not mistaken for ours. */
function stampOf(web: string, digest: string) {
  const id = join(web, '.next', 'BUILD_ID')
  return `${digest} ${existsSync(id) ? readFileSync(id, 'utf8') : ''}`
}

export function digestOfInputs(inputs: Layout['inputs'], env: NodeJS.ProcessEnv, root = '.') {
  const hash = createHash('sha256')
  // Next writes these variables into the bundle, and the target of `/_auth/` into its routes.
  const inBuild = Object.keys(env).filter((name) => /^(?:NEXT_PUBLIC_.*|SVC_API_URL)$/.test(name))
  for (const name of inBuild.toSorted()) hash.update(`${name}=${env[name]}\n`)
  for (const path of inputs.flatMap((each) => filesOf(root, each))) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesOf(root: string, input: string) {
  if (statSync(join(root, input)).isFile()) return [input]
  return walk(root, input)
    .filter(({ path, isFolder }) => !isFolder && !isTest(path) && !written.test(path))
    .map(({ path }) => path)
    .toSorted()
}

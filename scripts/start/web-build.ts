import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { runCommand } from '../run-command.ts'
import { isTest, walk } from '../source-files.ts'

export const webFolder = join('apps', 'starter', 'web')

const inputs = ['packages/core', 'packages/auth', 'packages/web', 'apps/starter']

/** What a build writes beside its inputs. */
const written = /(next-env\.d\.ts|\.tsbuildinfo)$/

/** The arguments that make Node run Next's command for the web app. */
export function nextCommand(...args: string[]) {
  const { resolve: find } = createRequire(resolve(webFolder, 'package.json'))
  return [find('next/dist/bin/next'), ...args]
}

/** Builds the web app, unless its last build was of the same files and public variables. */
export async function buildWeb(env: NodeJS.ProcessEnv) {
  const stamp = join(webFolder, '.next', 'svc-build')
  const digest = digestOfInputs(process.cwd(), env)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(digest)) {
    return { passed: true, built: false, output: '' }
  }
  const server = servedBy()
  if (server !== null) return { passed: false, built: false, output: alreadyServed(server) }
  const [program, ...args] = [process.execPath, ...nextCommand('build')]
  const { passed, output } = await runCommand([program, ...args], { cwd: webFolder, env })
  if (passed) writeFileSync(stamp, stampOf(digest))
  return { passed, built: true, output }
}

/** Says who serves the build from now on: another build would take its files away. */
export function noteServing(port: number) {
  writeFileSync(serving(), JSON.stringify({ pid: process.pid, port }))
}

const serving = () => join(webFolder, '.next', 'svc-serving')

interface WebServer {
  pid: number
  port: number
}

/** Who serves the build right now, if anybody does. */
function servedBy(): WebServer | null {
  if (!existsSync(serving())) return null
  const server: WebServer = JSON.parse(readFileSync(serving(), 'utf8'))
  try {
    process.kill(server.pid, 0)
    return server
  } catch {
    return null
  }
}

function alreadyServed({ pid, port }: WebServer) {
  return (
    `The web app of this folder runs already, at http://localhost:${port} (process ${pid}), and a build for other ` +
    'addresses or newer files would take its pages away. Stop it first, or start from another clone.'
  )
}

/** A build by hand has another id, so it does not pass for ours. */
function stampOf(digest: string) {
  const id = join(webFolder, '.next', 'BUILD_ID')
  return `${digest} ${existsSync(id) ? readFileSync(id, 'utf8') : ''}`
}

export function digestOfInputs(root: string, env: NodeJS.ProcessEnv) {
  const hash = createHash('sha256')
  // Next writes these variables into the bundle, and where `/_auth/` is forwarded to into its routes.
  const inBuild = Object.keys(env).filter((name) => /^(?:NEXT_PUBLIC_.*|SVC_API_URL)$/.test(name))
  for (const name of inBuild.toSorted()) hash.update(`${name}=${env[name]}\n`)
  for (const path of ['package-lock.json', ...inputs.flatMap((folder) => filesOf(root, folder))]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesOf(root: string, folder: string) {
  return walk(root, folder)
    .filter(({ path, isFolder }) => !isFolder && !isTest(path) && !written.test(path))
    .map(({ path }) => path)
    .toSorted()
}

import { spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'

const launcher = join(import.meta.dirname, '../../bin/svc.js')

/** Long, because many tests run at once, and each of these runs several processes. */
export const within = { timeout: 60_000, interval: 50 }

/** Runs `svc dev` in a folder, on a port of its own, until the test ends. */
export function runDev(root: string, env: NodeJS.ProcessEnv = {}) {
  return run(['dev'], { root, env })
}

/** Runs `svc start` in the same way. */
export function runStart(root: string, env: NodeJS.ProcessEnv = {}) {
  return run(['start'], { root, env })
}

async function run(args: string[], { root, env }: { root: string; env: NodeJS.ProcessEnv }) {
  const port = await freePort()
  const { DATABASE_URL, NODE_ENV, SVC_HOST, ...inherited } = process.env
  const child = spawn(process.execPath, ['--conditions=svc-source', launcher, ...args], {
    cwd: root,
    env: {
      ...inherited,
      // The API's process runs the framework from its sources, too.
      NODE_OPTIONS: '--conditions=svc-source',
      SVC_PORT: `${port}`,
      ...env,
    },
  })
  const ended = new Promise<number | null>((done) => child.on('close', done))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return {
    url: `http://localhost:${port}`,
    port,
    ended,
    output: () => output,
    forget: () => {
      output = ''
    },
    said: (text: string) =>
      vi.waitFor(() => {
        if (!output.includes(text)) throw new Error(`it did not say "${text}", but:\n${output}`)
      }, within),
    interrupt() {
      child.kill('SIGINT')
      return ended
    },
  }
}

export async function freePort() {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, listening))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  await new Promise((closed) => server.close(closed))
  return port
}

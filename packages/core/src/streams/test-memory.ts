import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

interface Left {
  rss: number
  heapUsed: number
  streams: number
  tokens: number
  resources: string[]
  listeners: number
}

const program = fileURLToPath(new URL('./test-clients.ts', import.meta.url))

/** Runs that many clients in a process of its own, where memory can be cleaned up before it is measured. */
export async function connectAndLeave(cycles: number) {
  const flags = ['--conditions=svc-source', '--expose-gc', '--disable-warning=ExperimentalWarning']
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    program,
    String(cycles),
  ])
  return JSON.parse(stdout) as { before: Left; after: Left }
}

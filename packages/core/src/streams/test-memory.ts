import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Left } from './test-visitors.ts'

const programs = {
  streams: new URL('./test-stream-program.ts', import.meta.url),
  sockets: new URL('./test-socket-program.ts', import.meta.url),
}

interface Told {
  before: Left & { tokens: number }
  after: Left & { tokens: number }
  held?: number[]
}

/** Runs that many clients in a process of its own, where memory can be cleaned up before it is measured. */
export async function connectAndLeave(cycles: number, to: keyof typeof programs = 'streams') {
  const flags = [
    '--conditions=svc-source',
    '--expose-gc',
    // The engine gives its young objects more room under load, and keeps it: 25 MB and more that are no leak.
    '--max-semi-space-size=2',
    '--disable-warning=ExperimentalWarning',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    fileURLToPath(programs[to]),
    String(cycles),
  ])
  return JSON.parse(stdout) as Told
}

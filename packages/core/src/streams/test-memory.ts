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

const programs = { streams: './test-clients.ts', sockets: './test-sockets.ts' }

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
    fileURLToPath(new URL(programs[to], import.meta.url)),
    String(cycles),
  ])
  return JSON.parse(stdout) as { before: Left; after: Left; held?: number[] }
}

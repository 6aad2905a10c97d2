import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { isAlive } from './run-as.ts'
import { startEmbedded } from './start-embedded.ts'

export async function leave(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.stdin?.end()
  await exit
}

export async function kill(child: ChildProcess) {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

export async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export async function isGone(pid: number | null) {
  await vi.waitFor(() => expect(isAlive(pid as number)).toBe(false), 5000)
}

export const nobody = 65_534
export const ownerIds = async (path: string) => {
  const names = await readdir(path, { recursive: true })
  const stats = await Promise.all(['.', ...names].map((name) => lstat(join(path, name))))
  return [...new Set(stats.flatMap(({ uid, gid }) => [uid, gid]))]
}

/** A directory with a cluster for each test. */
export async function useCluster() {
  const original = await mkdtemp(join(tmpdir(), 'svc-embedded-'))

  let root: string
  /** Holds a cluster; making one takes half a second, copying it a tenth. */
  let directory: string
  /** Is not there yet. */
  let blank: string
  let stops: Array<() => Promise<unknown>>

  beforeAll(async () => (await startEmbedded(original, { fsync: false })).stop())
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-embedded-'))
    directory = join(root, 'data')
    blank = join(root, 'blank')
    execFileSync('cp', ['-a', original, directory])
    stops = []
  })
  afterAll(() => rm(original, { recursive: true }))
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()))
    const pid = (await serverPid()) ?? (await serverPid(blank))
    await rm(root, { recursive: true })
    expect(pid && isAlive(pid)).toBeFalsy()
  })

  async function start(path = directory, onProgress = (_step: string) => {}) {
    const server = await startEmbedded(path, { fsync: false, onProgress })
    stops.push(server.stop)
    return server
  }

  /** Another process that uses the directory until its input ends. */
  async function startProcess(path = directory) {
    const program = `
    import { startEmbedded } from '${new URL('./start-embedded.ts', import.meta.url)}'
    const server = await startEmbedded(process.argv[1], { fsync: false })
    console.log(server.url)
    process.stdin.on('end', () => server.stop()).resume()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    stops.push(() => leave(child))
    const [url] = await once(child.stdout.setEncoding('utf8'), 'data')
    return { child, url: String(url).trim() }
  }

  async function serverPid(path = directory) {
    const text = await readFile(join(path, 'pg', 'postmaster.pid'), 'utf8').catch(() => '')
    return Number.parseInt(text, 10) || null
  }
  return {
    get root() {
      return root
    },
    get directory() {
      return directory
    },
    get blank() {
      return blank
    },
    get stops() {
      return stops
    },
    start,
    startProcess,
    serverPid,
  }
}

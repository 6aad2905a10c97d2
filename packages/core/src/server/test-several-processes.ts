import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const program = fileURLToPath(new URL('./testing/several-processes.ts', import.meta.url))

// A busy machine takes long to start three processes.
export const within = { timeout: 50_000, interval: 20 }

/** On a connection of its own, so that each comes to the next process. */
export async function ask(url: string, path = '/which', init: RequestInit = {}) {
  const headers = { connection: 'close', 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { headers, ...init })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`)
  return JSON.parse(body) as { pid: number }
}

/** The processes that answer, once there are as many. */
export async function pidsOf(url: string, count = 3) {
  const pids = new Set<number>()
  await vi.waitFor(async () => {
    pids.add((await ask(url)).pid)
    expect(pids.size).toBe(count)
  }, within)
  return [...pids]
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export const areGone = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), within)

/** Requests that were sent before have been taken when later ones are answered by every process. */
export async function untilTaken(url: string) {
  await pidsOf(url)
  await wait(100)
}

/** Programs of several processes on the database of one file. */
export function useProcesses() {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  function launch(env: Record<string, string> = {}, node = process.execPath) {
    const child = spawn(node, ['--conditions=svc-source', program], {
      env: {
        PATH: process.env['PATH'],
        SVC_PROCESSES: '3',
        SVC_PORT: '0',
        DATABASE_URL: database.url,
        ...env,
      },
      // A group of its own, as a terminal gives.
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => (output += text.toString()))
    }
    const ended = once(child, 'exit').then(([code]) => code as number | null)
    onTestFinished(async () => {
      signalGroup('SIGKILL')
      await ended
    })
    function signalGroup(signal: NodeJS.Signals) {
      try {
        process.kill(-(child.pid ?? 0), signal)
      } catch {
        // All of it has ended.
      }
    }
    return { child, ended, output: () => output, signalGroup }
  }

  async function start(env?: Record<string, string>, node?: string) {
    const launched = launch(env, node)
    await vi.waitFor(() => expect(launched.output()).toContain('all processes serve'), within)
    const [, url = ''] = /"url":"([^"]+)"/.exec(launched.output()) ?? []
    return { ...launched, url }
  }
  return { launch, start }
}

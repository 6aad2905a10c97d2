import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Log, ServiceUnavailableError } from '@svc/core'
import type { HashAnswers, HashJob } from './hash-worker.ts'
import type { HashTarget } from './stored-hash.ts'

export interface HashQueueOptions {
  target: HashTarget
  workers: number
  /** How many jobs may wait. One more is refused. */
  limit: number
  log: Pick<Log, 'error'>
}

interface Task {
  job: HashJob
  /** Whose request it is for; nobody's is one like the others. */
  from: string | null
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

// This file runs as it is written and as it is built.
const workerFile = new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url)

/** Hashing on threads of its own: neither the event loop nor libuv's pool waits for it. */
export function createHashQueue({ target, workers, limit, log }: HashQueueOptions) {
  const waiting: Task[] = []
  const tasks = new Map<Worker, Task | null>()
  let isClosed = false

  function run<Job extends HashJob>(job: Job, from: string | null = null) {
    return new Promise<HashAnswers[Job['kind']]>((resolve, reject) => {
      const isFull = waiting.length >= limit && !makeRoom(waiting, from)
      if (isClosed || isFull) return reject(new ServiceUnavailableError())
      waiting.push({ job, from, resolve, reject })
      return advance()
    })
  }

  function advance() {
    for (const worker of idleWorkers()) {
      const task = waiting.shift()
      if (!task) return
      tasks.set(worker, task)
      // A process that has nothing but a hash under way must not end before it.
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(task.job)
    }
  }

  function* idleWorkers() {
    for (const [worker, task] of tasks) if (task === null) yield worker
    while (waiting.length > 0 && tasks.size < workers) yield startWorker()
  }

  function startWorker() {
    const worker = new Worker(workerFile, {
      name: 'password-hash',
      workerData: target,
      // The process's own flags may not fit: those of `node --eval` keep a file from loading.
      execArgv: [],
    })
    tasks.set(worker, null)
    worker.on('message', (answer) => {
      // Typed where the job was taken.
      tasks.get(worker)?.resolve(answer as never)
      tasks.set(worker, null)
      worker.unref()
      advance()
    })
    worker.on('error', (err) => log.error({ err }, 'A password worker died'))
    worker.on('exit', () => {
      tasks.get(worker)?.reject(new ServiceUnavailableError())
      tasks.delete(worker)
      advance()
    })
    return worker
  }

  async function close() {
    isClosed = true
    for (const { reject } of waiting.splice(0)) reject(new ServiceUnavailableError())
    await Promise.all([...tasks.keys()].map((worker) => worker.terminate()))
  }

  return { run, close }
}

/** One address must not keep the others out: whoever has the most waiting gives up the latest for who has fewer. */
function makeRoom(waiting: Task[], from: string | null) {
  const counts = new Map<string | null, number>()
  for (const task of waiting) counts.set(task.from, (counts.get(task.from) ?? 0) + 1)
  const most = Math.max(...counts.values())
  if (most <= (counts.get(from) ?? 0) + 1) return false
  const latest = waiting.findLastIndex((task) => counts.get(task.from) === most)
  const [dropped] = waiting.splice(latest, 1)
  dropped?.reject(new ServiceUnavailableError())
  return true
}

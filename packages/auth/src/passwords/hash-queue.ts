import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Log, ServiceUnavailableError } from '@svc/core'
import type { HashPlace } from './hash-places.ts'
import type { HashAnswers, HashJob } from './hash-worker.ts'
import type { HashTarget } from './stored-hash.ts'

export interface HashQueueOptions {
  target: HashTarget
  workers: number
  log: Pick<Log, 'error'>
}

interface Task {
  job: HashJob
  place: HashPlace
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

// This file runs as it is written and as it is built.
const workerFile = new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url)

/** Hashing on threads of its own: neither the event loop nor libuv's pool waits for it. */
export function createHashQueue({ target, workers, log }: HashQueueOptions) {
  const waiting: Task[] = []
  const tasks = new Map<Worker, Task | null>()
  let isClosed = false

  function run<Job extends HashJob>(job: Job, place: HashPlace) {
    return new Promise<HashAnswers[Job['kind']]>((resolve, reject) => {
      if (isClosed || place.lost.aborted) return reject(new ServiceUnavailableError())
      const task: Task = { job, place, resolve, reject }
      place.lost.addEventListener('abort', () => giveUp(task), { once: true })
      waiting.push(task)
      return advance()
    })
  }

  function giveUp(task: Task) {
    const at = waiting.indexOf(task)
    if (at < 0) return
    waiting.splice(at, 1)
    task.reject(new ServiceUnavailableError())
  }

  function advance() {
    for (const worker of idleWorkers()) {
      const task = waiting.shift()
      if (!task) return
      task.place.begin()
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

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Log, ServiceUnavailableError } from '@svc/core'
import type { HashAnswers, HashJob, HashReply } from './hash-worker.ts'
import type { HashTarget } from './stored-hash.ts'

export interface HashQueueOptions {
  target: HashTarget
  workers: number
  log: Pick<Log, 'error'>
}

interface Task {
  job: HashJob
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

// This file runs as it is written and as it is built.
const workerFile = new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url)

/** Hashes on threads of its own, so the event loop and libuv's pool don't wait. The line limits how many jobs wait. */
export function createHashQueue({ target, workers, log }: HashQueueOptions) {
  const waiting: Task[] = []
  const tasks = new Map<Worker, Task | null>()
  let isClosed = false
  /** How long a hash takes; the first value is for a core that does nothing else. */
  let millis = target.scheme === 'bcrypt' ? 2 ** target.rounds * 0.06 : 45

  function run<Job extends HashJob>(job: Job) {
    return new Promise<HashAnswers[Job['kind']]>((resolve, reject) => {
      if (isClosed) return reject(new ServiceUnavailableError())
      waiting.push({ job, resolve, reject })
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
    while (waiting.length > 0 && tasks.size < workers) {
      const worker = tryToStartWorker()
      if (!worker) return
      yield worker
    }
  }

  /** Null where the system has no thread left, as at a limit of processes. The next job that comes or is done tries again. */
  function tryToStartWorker() {
    try {
      return startWorker()
    } catch (err) {
      log.error({ err }, 'A password worker could not be started')
      // Those that run come for whoever waits. Without one nobody would, and passwords would stay here in the clear.
      if (tasks.size === 0) refuseAll()
      return null
    }
  }

  function refuseAll() {
    for (const { reject } of waiting.splice(0)) reject(new ServiceUnavailableError())
  }

  function startWorker() {
    const worker = new Worker(workerFile, {
      name: 'password-hash',
      workerData: target,
      // The process's own flags may not fit: those of `node --eval` keep a file from loading.
      execArgv: [],
    })
    tasks.set(worker, null)
    worker.on('message', (reply: HashReply) => {
      const task = tasks.get(worker)
      tasks.set(worker, null)
      if ('failure' in reply) {
        log.error(reply, 'A stored password could not be verified')
        task?.reject(new ServiceUnavailableError())
      } else {
        millis += (reply.millis - millis) / 8
        // Its type was checked when the job was added.
        task?.resolve(reply.answer as never)
      }
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
    refuseAll()
    await Promise.all([...tasks.keys()].map((worker) => worker.terminate()))
  }

  return { run, close, turnMillis: () => millis / workers }
}

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Log, ServiceUnavailableError } from '@svc/core'
import { isThreadMessage } from '../thread-message.ts'
import type { HashAnswers, HashJob, HashReply, HashTask, HashWorkerData } from './hash-worker.ts'
import { mostLanes, slowdownOf } from './lanes/bcrypt-lanes.ts'
import { type HashTarget, parseOwnHash } from './stored-hash.ts'

interface HashQueueOptions {
  target: HashTarget
  workers: number
  /** The nice value of the threads, 0 to 19. At 19, all other threads go first. */
  nice?: number
  log: Pick<Log, 'error'>
}

interface Task {
  job: HashJob
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

interface Begun extends Task {
  at: number
  /** The most jobs that the thread has had at a time since then, including this one. */
  most: number
}

// This file runs both from source and built.
const workerFile = new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Hashes on threads of its own, so that the event loop and libuv's pool don't wait. The queue of
 * callers limits how many jobs wait. Each thread takes several at a time, because those that
 * verifier.ts does together take little longer than one.
 */
export function createHashQueue({ target, workers, nice = 19, log }: HashQueueOptions) {
  const waiting: Task[] = []
  /** The jobs of each thread, by number. */
  const begun = new Map<Worker, Map<number, Begun>>()
  const mostAtOnce = target.scheme === 'bcrypt' ? mostLanes : 1
  let isClosed = false
  let lastId = 0
  /** How long one hash takes alone; the first value is for an idle core. */
  let millis = target.scheme === 'bcrypt' ? 2 ** target.rounds * 0.06 : 45

  function run<Job extends HashJob>(job: Job) {
    return new Promise<HashAnswers[Job['kind']]>((resolve, reject) => {
      if (isClosed) return reject(new ServiceUnavailableError())
      waiting.push({ job, resolve, reject })
      return advance()
    })
  }

  function advance() {
    while (waiting.length > 0) {
      const worker = freeWorker()
      const task = worker && waiting.shift()
      if (!task) return
      give(worker, task)
    }
  }

  /** An idle one, a new one, or the least busy one that accepts more. */
  function freeWorker() {
    const [least] = [...begun.keys()].toSorted((one, other) => loadOf(one) - loadOf(other))
    if (least && loadOf(least) === 0) return least
    const started = begun.size < workers ? tryToStartWorker() : null
    return started ?? (least && loadOf(least) < mostAtOnce ? least : null)
  }

  /** A thread does nothing beside a new hash, which is a full load. */
  function loadOf(worker: Worker) {
    const own = [...(begun.get(worker)?.values() ?? [])]
    return own.reduce((sum, { job }) => sum + (job.kind === 'hash' ? mostAtOnce : 1), 0)
  }

  function give(worker: Worker, task: Task) {
    const own = begun.get(worker)
    if (!own) return
    const id = (lastId += 1)
    own.set(id, { ...task, at: performance.now(), most: 0 })
    for (const each of own.values()) each.most = Math.max(each.most, own.size)
    // A process must not exit while a hash is running.
    worker.ref()
    const message: HashTask = { svc: 'hash', id, job: task.job }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(message)
  }

  /**
   * Null if the system allows no more threads, as at a limit of processes. The next job that
   * arrives or ends tries again.
   */
  function tryToStartWorker() {
    try {
      return startWorker()
    } catch (err) {
      log.error({ err }, 'a password worker could not be started')
      // The running threads will take the waiting jobs. Without any thread, they would wait for
      // ever, and passwords would stay here in the clear.
      if (begun.size === 0) refuse(waiting.splice(0))
      return null
    }
  }

  function startWorker() {
    const worker = new Worker(workerFile, {
      name: 'password-hash',
      workerData: { target, nice } satisfies HashWorkerData,
      // The process's own flags may not fit: with those of `node --eval` no file would load.
      execArgv: [],
    })
    const own = new Map<number, Begun>()
    begun.set(worker, own)
    worker.on('message', (reply: unknown) => {
      if (!isThreadMessage<HashReply>(reply, 'hash', saysWhatCame)) return
      const task = own.get(reply.id)
      own.delete(reply.id)
      if (task) end(task, reply)
      if (own.size === 0) worker.unref()
      advance()
    })
    worker.on('error', (err) => log.error({ err }, 'a password worker died'))
    worker.on('exit', () => {
      begun.delete(worker)
      refuse([...own.values()])
      advance()
    })
    return worker
  }

  function end({ job, at, most, resolve, reject }: Begun, { answer, failure }: HashReply) {
    // Only `true` means a correct password, and only what looks like a hash is stored.
    if (job.kind === 'verify' ? typeof answer === 'boolean' : isOwnHash(answer)) {
      millis += ((performance.now() - at) / slowdownOf(most) - millis) / 8
      return resolve(answer as never)
    }
    log.error({ failure }, 'a password could not be hashed or verified')
    return reject(new ServiceUnavailableError())
  }

  async function close() {
    isClosed = true
    refuse(waiting.splice(0))
    await Promise.all([...begun.keys()].map((worker) => worker.terminate()))
  }

  /** The time from one hash to the next while all threads are full. */
  const turnMillis = () => (millis * slowdownOf(mostAtOnce)) / mostAtOnce / workers

  return { run, close, atOnce: workers * mostAtOnce, turnMillis }
}

function saysWhatCame({ answer, failure }: { answer?: unknown; failure?: unknown }) {
  return answer !== undefined || failure !== undefined
}

function isOwnHash(answer: unknown) {
  return typeof answer === 'string' && parseOwnHash(answer) !== null
}

function refuse(tasks: readonly Task[]) {
  for (const { reject } of tasks) reject(new ServiceUnavailableError())
}

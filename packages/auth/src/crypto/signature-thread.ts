import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Answers, Questions } from './signature-worker.ts'
import { isThreadMessage } from './thread-message.ts'
import type { Signed } from './verify-signature.ts'

/** A signature, the key that it must be of, and who waits to be told. */
export interface Check extends Signed {
  /** SPKI in base64, as keys are kept. Its algorithm is the one that is claimed: the caller has compared them. */
  readonly publicKey: string
  readonly settle: (isRight: boolean) => void
}

export type SignatureThread = ReturnType<typeof createSignatureThread>

interface ThreadOptions {
  workerFile?: URL | undefined
  /** How many checks it may be behind with. */
  mostBehind: number
  /** What it could not check itself. */
  checkHere: (check: Check) => void
  /** It ended, by itself where there is an error, and leaves these unchecked. */
  ended: (error: Error | null, left: Check[]) => void
}

// This file runs as it is written and as it is built.
const ownFile = new URL(`./signature-worker${extname(import.meta.url)}`, import.meta.url)

/** One thread that checks signatures, and what it was asked. */
export function createSignatureThread({
  workerFile = ownFile,
  mostBehind,
  checkHere,
  ended,
}: ThreadOptions) {
  const asked = new Map<number, Check[]>()
  let behind = 0
  let isOnline = false
  let last = 0
  let error: Error | null = null

  const worker = new Worker(workerFile, {
    name: 'signatures',
    // The process's own flags may not fit: those of `node --eval` keep a file from loading.
    execArgv: [],
  })
  worker.unref()
  worker.on('online', () => {
    isOnline = true
  })
  worker.on('message', (given: unknown) => {
    if (!isThreadMessage<Answers>(given, 'signatures')) return
    const checks = asked.get(given.id) ?? []
    asked.delete(given.id)
    behind -= checks.length
    for (const [index, check] of checks.entries()) {
      const isRight = given.areRight[index]
      // Only `true` lets a request in. What there is no answer to is asked again, here.
      if (typeof isRight === 'boolean') check.settle(isRight)
      else checkHere(check)
    }
  })
  worker.on('error', (given) => {
    error = given instanceof Error ? given : new Error(String(given))
  })
  worker.on('exit', () => {
    const left = [...asked.values()].flat()
    asked.clear()
    ended(error, left)
  })

  return {
    get behind() {
      return behind
    },
    /** How many more it takes now. */
    room: () => (isOnline ? mostBehind - behind : 0),
    check(checks: Check[]) {
      asked.set(++last, checks)
      behind += checks.length
      // Text, because a small Buffer is a part of a pool that would be copied whole.
      const questions: Questions = {
        svc: 'signatures',
        id: last,
        checks: checks.map(({ algorithm, signed, signature, publicKey }) => ({
          algorithm,
          signed,
          signature: signature.toString('latin1'),
          publicKey,
        })),
      }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(questions)
    },
    close: () => worker.terminate(),
  }
}

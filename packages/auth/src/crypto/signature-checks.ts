import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { coresOfProcess, type Log } from '@svc/core'
import { isThreadMessage } from '../thread-message.ts'
import type { Answers, Questions } from './signature-worker.ts'
import { type PublicKeys, type Signed, verifySignature } from './verify-signature.ts'

interface SignatureChecksOptions {
  publicKeys: PublicKeys
  log: Pick<Log, 'error'>
  /** How many checks must have met others in their turn before a thread is worth starting. */
  crowd?: number
  hasThread?: boolean
  workerFile?: URL
}

export type SignatureChecks = ReturnType<typeof createSignatureChecks>

// A check of ES256 costs more than the whole rest of a request: with a second core on it, 1.2 to 1.3 times as many are
// served. One thread keeps up with what one event loop can read and answer.
const threadMillisBehind = 8
const checksPerMilli = 8

/**
 * Checks signatures: at once for a request that is alone, on a thread beside the event loop where many come together. What
 * the thread has no room for is checked here, so that neither waits for the other.
 */
export function createSignatureChecks({
  publicKeys,
  log,
  crowd = 256,
  hasThread = coresOfProcess() > 1,
  workerFile,
}: SignatureChecksOptions) {
  let turn: Check[] = []
  let met = 0
  let thread: SignatureThread | null = null
  let isClosed = false
  let canStart = hasThread

  function isRight(signed: Signed, publicKey: string) {
    return new Promise<boolean>((settle) => {
      // After the answer of the database that brings the keys of several requests has been read.
      if (turn.length === 0) setImmediate(endTurn)
      const { algorithm, signature } = signed
      turn.push({ algorithm, signed: signed.signed, signature, publicKey, settle })
    })
  }

  function endTurn() {
    const checks = turn
    turn = []
    const room = threadFor(checks)?.room() ?? 0
    for (const some of inMessages(checks.slice(0, room))) thread?.check(some)
    for (const check of checks.slice(room)) checkHere(check)
  }

  function threadFor(checks: Check[]) {
    const isAlone = checks.length === 1 && (thread?.behind ?? 0) === 0
    if (isAlone || !canStart || isClosed) return null
    met += checks.length
    if (met >= crowd) thread ??= start()
    return thread
  }

  /** A thread, or none for all time where none can be started: a limit on processes, or a permission that is not given. */
  function start() {
    try {
      return open()
    } catch (err) {
      canStart = false
      log.error({ err }, 'No thread could be started: signatures are checked on the event loop')
      return null
    }
  }

  function open() {
    return createSignatureThread({
      workerFile,
      mostBehind: threadMillisBehind * checksPerMilli,
      checkHere,
      ended(error, left) {
        thread = null
        met = 0
        if (error) log.error({ err: error }, 'The thread that checks signatures died')
        for (const check of left) checkHere(check)
      },
    })
  }

  function checkHere({ publicKey, settle, ...signed }: Check) {
    try {
      const key = publicKeys(publicKey)
      settle(verifySignature(signed, { key, algorithm: signed.algorithm }))
    } catch (err) {
      log.error({ err }, 'A stored public key cannot be read, and signs nothing')
      settle(false)
    }
  }

  async function close() {
    isClosed = true
    await thread?.close()
  }

  return { isRight, close }
}

// A whole turn in one message would have the event loop wait for its last signature, and then the thread for the loop.
const together = 3

function* inMessages(checks: readonly Check[]) {
  for (let at = 0; at < checks.length; at += together) yield checks.slice(at, at + together)
}

/** A signature, the key that it must be of, and who waits to be told. */
interface Check extends Signed {
  /** SPKI in base64, as keys are kept. Its algorithm is the one that is claimed: the caller has compared them. */
  readonly publicKey: string
  readonly settle: (isRight: boolean) => void
}

type SignatureThread = ReturnType<typeof createSignatureThread>

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
function createSignatureThread({
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
    if (!isThreadMessage<Answers>(given, 'signatures', (each) => Array.isArray(each.areRight)))
      return
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

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { coresOfProcess, type Log } from '@svc/core'
import { isThreadMessage } from '../thread-message.ts'
import type { Answers, Questions } from './signature-worker.ts'
import { type PublicKeys, type Signed, verifySignature } from './verify-signature.ts'

interface SignatureChecksOptions {
  publicKeys: PublicKeys
  log: Pick<Log, 'error'>
  /** How many checks must have shared a turn with others before a thread is worth starting. */
  crowd?: number
  hasThread?: boolean
  workerFile?: URL
}

export type SignatureChecks = ReturnType<typeof createSignatureChecks>

// A check of ES256 costs more than all the rest of a request: if a second core does it, 1.2 to 1.3
// times as many are served. One thread keeps up with what one event loop can read and answer.
const threadMillisBehind = 8
const checksPerMilli = 8

/**
 * Checks signatures: at once if a request is alone, and on a thread beside the event loop if many
 * arrive together. If the thread is full, they are checked here, so that neither waits for the
 * other.
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
      // After the database's response, which brings the keys of several requests, has been read.
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

  /**
   * Starts a thread. If none can be started, because of a limit on processes or a missing
   * permission, none is tried again.
   */
  function start() {
    try {
      return open()
    } catch (err) {
      canStart = false
      log.error({ err }, 'no thread could be started: signatures are checked on the event loop')
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
        if (error) log.error({ err: error }, 'the thread that checks signatures died')
        for (const check of left) checkHere(check)
      },
    })
  }

  function checkHere({ publicKey, settle, ...signed }: Check) {
    try {
      const key = publicKeys(publicKey)
      settle(verifySignature(signed, { key, algorithm: signed.algorithm }))
    } catch (err) {
      log.error({ err }, 'a stored public key cannot be read, so its requests are refused')
      settle(false)
    }
  }

  async function close() {
    isClosed = true
    await thread?.close()
  }

  return { isRight, close }
}

// With a whole turn in one message, the event loop would wait for its last signature, and then the
// thread for the loop.
const together = 3

function* inMessages(checks: readonly Check[]) {
  for (let at = 0; at < checks.length; at += together) yield checks.slice(at, at + together)
}

/** A signature, its key, and the callback for the result. */
interface Check extends Signed {
  /**
   * SPKI in base64, as keys are stored. The caller has compared its algorithm with the claimed one.
   */
  readonly publicKey: string
  readonly settle: (isRight: boolean) => void
}

type SignatureThread = ReturnType<typeof createSignatureThread>

interface ThreadOptions {
  workerFile?: URL | undefined
  /** How many checks it may have waiting. */
  mostBehind: number
  /** Takes the checks that it could not do itself. */
  checkHere: (check: Check) => void
  /** It has ended, with an error if it did so by itself, and leaves these unchecked. */
  ended: (error: Error | null, left: Check[]) => void
}

// This file runs both from source and built.
const ownFile = new URL(`./signature-worker${extname(import.meta.url)}`, import.meta.url)

/** One thread that checks signatures, and its open questions. */
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
    // The process's own flags may not fit: with those of `node --eval` no file would load.
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
      // Only `true` accepts a request. A check without a result is repeated here.
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
    /** How many more checks it accepts now. */
    room: () => (isOnline ? mostBehind - behind : 0),
    check(checks: Check[]) {
      asked.set(++last, checks)
      behind += checks.length
      // Text, because a small Buffer is part of a pool that would be copied whole.
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

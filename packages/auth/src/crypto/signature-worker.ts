import { parentPort } from 'node:worker_threads'
import { isThreadMessage, type ThreadMessage } from '../thread-message.ts'
import type { KeyAlgorithm } from './contract.ts'
import { createPublicKeyCache, verifySignature } from './verify-signature.ts'

interface Question {
  algorithm: KeyAlgorithm
  signed: string
  /** Its bytes as latin1. */
  signature: string
  publicKey: string
}

export interface Questions extends ThreadMessage {
  readonly svc: 'signatures'
  readonly checks: readonly Question[]
}

/** In the order of the questions; null for a check that failed to run. */
export interface Answers extends ThreadMessage {
  readonly svc: 'signatures'
  readonly areRight: readonly (boolean | null)[]
}

const publicKeys = createPublicKeyCache()
const port = parentPort
port?.on('message', (given: unknown) => {
  if (!isThreadMessage<Questions>(given, 'signatures', ({ checks }) => areQuestions(checks))) return
  const { svc, id, checks } = given
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage({ svc, id, areRight: checks.map(isRight) } satisfies Answers)
})

function areQuestions(given: unknown) {
  return Array.isArray(given) && given.every(isQuestion)
}

function isQuestion(given: Partial<Question> | null) {
  if (typeof given?.signed !== 'string' || typeof given.signature !== 'string') return false
  return typeof given.algorithm === 'string' && typeof given.publicKey === 'string'
}

/**
 * A stored key that is broken must not end the thread. The main thread loads it next and reports
 * it.
 */
function isRight({ algorithm, signed, signature, publicKey }: Question) {
  try {
    const key = publicKeys(publicKey)
    return verifySignature(
      { algorithm, signed, signature: Buffer.from(signature, 'latin1') },
      { key, algorithm },
    )
  } catch {
    return null
  }
}

import { parentPort } from 'node:worker_threads'
import { createPublicKeyCache } from './public-key-cache.ts'
import type { KeyAlgorithm } from './spki.ts'
import { verifySignature } from './verify-signature.ts'

interface Question {
  algorithm: KeyAlgorithm
  signed: string
  /** Its bytes as latin1. */
  signature: string
  publicKey: string
}

export interface Questions {
  number: number
  checks: Question[]
}

/** In the order of the questions; null for what could not be checked. */
export interface Answers {
  number: number
  areRight: (boolean | null)[]
}

const publicKeys = createPublicKeyCache()
const port = parentPort
port?.on('message', ({ number, checks }: Questions) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage({ number, areRight: checks.map(isRight) } satisfies Answers)
})

/** A stored key that is broken must not end the thread: who loads it next says so. */
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

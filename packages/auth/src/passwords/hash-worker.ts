import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashPassword, type PasswordForms, verifyPassword } from './password-hash.ts'
import type { HashTarget } from './stored-hash.ts'

export type HashJob =
  | { kind: 'hash'; forms: PasswordForms }
  | { kind: 'verify'; forms: PasswordForms; stored: string }

/** What each kind of job is answered. */
export interface HashAnswers {
  hash: string
  verify: boolean
}

const port = parentPort
// Only hash-queue.ts starts this file, and says so.
const target = workerData as HashTarget

// Elsewhere a priority is the whole process's.
if (process.platform === 'linux') stepBehindRequests()
port?.on('message', (job: HashJob) => port.postMessage(answer(job)))

function answer(job: HashJob) {
  return job.kind === 'hash'
    ? hashPassword(job.forms, target)
    : verifyPassword(job.forms, job.stored, target)
}

/** Nice 19, so that a core which requests need is theirs. */
function stepBehindRequests() {
  try {
    setPriority(19)
  } catch {
    // A hardened unit of systemd refuses it (`SystemCallFilter=~@resources`); signing in must work there too.
  }
}

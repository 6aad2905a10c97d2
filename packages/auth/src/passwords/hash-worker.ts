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

export type HashReply =
  | { answer: HashAnswers[HashJob['kind']]; millis: number }
  | { failure: HashFailure }

/** Of an error its name and code alone: its message may quote the stored text or the password. */
interface HashFailure {
  name: string
  code: string
}

const port = parentPort
// Only hash-queue.ts starts this file, and says so.
const target = workerData as HashTarget

// Elsewhere a priority is the whole process's.
if (process.platform === 'linux') stepBehindRequests()
port?.on('message', (job: HashJob) => port.postMessage(replyTo(job)))

function replyTo(job: HashJob): HashReply {
  const startedAt = performance.now()
  const done = <Answer extends string | boolean>(answer: Answer) => ({
    answer,
    millis: performance.now() - startedAt,
  })
  if (job.kind === 'hash') return done(hashPassword(job.forms, target))
  try {
    return done(verifyPassword(job.forms, job.stored, target))
  } catch (err) {
    // What no server could verify was not sent here: memory or threads are short, and that is no wrong password.
    return { failure: failureOf(err) }
  }
}

function failureOf(err: unknown): HashFailure {
  if (!(err instanceof Error)) return { name: typeof err, code: '' }
  return { name: err.name, code: 'code' in err ? String(err.code) : '' }
}

/** Nice 19, so that a core which requests need is theirs. */
function stepBehindRequests() {
  try {
    setPriority(19)
  } catch {
    // A hardened unit of systemd refuses it (`SystemCallFilter=~@resources`); signing in must work there too.
  }
}

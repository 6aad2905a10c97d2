import { setPriority } from 'node:os'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { hashPassword } from './password-hash.ts'
import type { PasswordForms } from './pre-hash.ts'
import type { HashTarget } from './stored-hash.ts'
import { createVerifier } from './verifier.ts'

export type HashJob =
  | { kind: 'hash'; forms: PasswordForms }
  | { kind: 'verify'; forms: PasswordForms; stored: string }

/** What each kind of job is answered. */
export interface HashAnswers {
  hash: string
  verify: boolean
}

export interface HashTask {
  id: number
  job: HashJob
}

export type HashReply = { id: number } & (
  | { answer: HashAnswers[HashJob['kind']] }
  | { failure: HashFailure }
)

/** Of an error its name and code alone: its message may quote the stored text or the password. */
interface HashFailure {
  name: string
  code: string
}

const port = parentPort
// Only hash-queue.ts starts this file, and says so.
const target = workerData as HashTarget
const verifier = createVerifier(target)

// Elsewhere a priority is the whole process's.
if (process.platform === 'linux') stepBehindRequests()
port?.on('message', (task: HashTask) => {
  begin(task)
  // A thread that works gets no events. It asks for who joins those that are under way.
  while (verifier.isBusy) {
    verifier.step()
    const next = verifier.takesMore ? nextTask() : undefined
    if (next) begin(next)
  }
})

function nextTask(): HashTask | undefined {
  return port ? receiveMessageOnPort(port)?.message : undefined
}

function begin({ id, job }: HashTask) {
  const reply = (content: HashReply) => port?.postMessage(content)
  if (job.kind === 'hash') return reply({ id, answer: hashPassword(job.forms, target) })
  try {
    return verifier.verify(job.forms, job.stored, (answer) => reply({ id, answer }))
  } catch (err) {
    // What no server could verify was not sent here: memory or threads are short, and that is no wrong password.
    return reply({ id, failure: failureOf(err) })
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

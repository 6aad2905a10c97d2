import { setPriority } from 'node:os'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { isThreadMessage, type ThreadMessage } from '../thread-message.ts'
import { hashPassword, type PasswordForms } from './password-hash.ts'
import type { HashTarget } from './stored-hash.ts'
import { createVerifier } from './verifier.ts'

export type HashJob =
  | { kind: 'hash'; forms: PasswordForms }
  | { kind: 'verify'; forms: PasswordForms; stored: string }

/** The result of each kind of job. */
export interface HashAnswers {
  hash: string
  verify: boolean
}

export interface HashWorkerData {
  readonly target: HashTarget
  readonly nice: number
}

export interface HashTask extends ThreadMessage {
  readonly svc: 'hash'
  readonly job: HashJob
}

export interface HashReply extends ThreadMessage {
  readonly svc: 'hash'
  readonly answer?: HashAnswers[HashJob['kind']]
  readonly failure?: HashFailure
}

/**
 * Only the name and code of an error, because its message may quote the stored text or the
 * password.
 */
interface HashFailure {
  name: string
  code: string
}

const port = parentPort
// Only hash-queue.ts starts this file, with this value.
const { target, nice } = workerData as HashWorkerData
const verifier = createVerifier(target)

// On other systems a priority applies to the whole process.
if (process.platform === 'linux' && nice > 0) stepBehindRequests()
port?.on('message', (message: unknown) => {
  begin(message)
  // A busy thread gets no events. So it asks for jobs to add to those in progress.
  while (verifier.isBusy) {
    verifier.step()
    const next = verifier.takesMore && port ? receiveMessageOnPort(port) : undefined
    if (next) begin(next.message)
  }
})

function begin(message: unknown) {
  if (!isThreadMessage<HashTask>(message, 'hash', ({ job }) => isJob(job))) return undefined
  const { svc, id, job } = message
  const reply = (content: Omit<HashReply, 'svc' | 'id'>) =>
    port?.postMessage({ svc, id, ...content } satisfies HashReply)
  if (job.kind === 'hash') return reply({ answer: hashPassword(job.forms, target) })
  try {
    return verifier.verify(job.forms, job.stored, (answer) => reply({ answer }))
  } catch (err) {
    // A hash that no server could verify was not sent here: memory or threads are short, which is
    // no wrong password.
    return reply({ failure: failureOf(err) })
  }
}

function isJob(given: unknown) {
  const kind = (given as Partial<HashJob> | null | undefined)?.kind
  return kind === 'hash' || kind === 'verify'
}

function failureOf(err: unknown): HashFailure {
  if (!(err instanceof Error)) return { name: typeof err, code: '' }
  return { name: err.name, code: 'code' in err ? String(err.code) : '' }
}

/** Requests that need a core get it soon. */
function stepBehindRequests() {
  try {
    setPriority(nice)
  } catch {
    // A hardened systemd unit refuses it (`SystemCallFilter=~@resources`); signing in must work
    // there too.
  }
}

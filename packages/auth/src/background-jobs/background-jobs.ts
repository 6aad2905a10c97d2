import {
  ConflictError,
  type QueuedJob,
  type QueuedJobQuery,
  type RunningJobs,
  redact,
} from '@svc/core'
import { redactedRecipient } from '@svc/notification'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import type { JobDetails, JobItem } from './contract.ts'
import { JobNotFoundError } from './errors.ts'

export async function listJobQueues(jobs: RunningJobs | undefined) {
  return { queues: (await jobs?.queues()) ?? [] }
}

export async function listJobs(jobs: RunningJobs | undefined, query: QueuedJobQuery) {
  const { jobs: found, ...place } = (await jobs?.list(query)) ?? { jobs: [] }
  return { jobs: found.map(jobItem), ...place }
}

const jobItem = ({ id: jobId, ...shown }: QueuedJob): JobItem => ({ jobId, ...shown })

export async function readJob(jobs: RunningJobs | undefined, jobId: string): Promise<JobDetails> {
  const found = await jobs?.find(jobId)
  if (!found) throw new JobNotFoundError()
  const { id, error, input, ...shown } = found
  return {
    jobId: id,
    ...shown,
    ...(error && { error: withoutSecrets(error) }),
    ...(input !== undefined && { input: JSON.stringify(withoutSecrets(input), null, 2) }),
  }
}

/** Secrets as the log has them, and no whole address: what was replaced leaves JSON that can be read. */
function withoutSecrets<Value>(value: Value): Value {
  return JSON.parse(redact(JSON.stringify(value)), (_, each) =>
    typeof each === 'string' ? withoutAddresses(each) : each,
  )
}

const mailAddress = /[^\s\p{C}<>()[\]\\,;:"@]{1,64}@[^\s\p{C}<>()[\]\\,;:"@]{1,255}/gu
const phoneNumber = /(?<!\d)\+[1-9]\d{6,14}(?!\d)/g

function withoutAddresses(text: string) {
  return text
    .replaceAll(mailAddress, (address) => redactedRecipient('mail', address))
    .replaceAll(phoneNumber, (number) => redactedRecipient('sms', number))
}

interface Change {
  caller: FreshCaller
  params: { jobId: string }
  body: { job: string }
  origin: RequestOrigin
}

const moves = {
  retry: { act: 'job.retried', refusal: 'Only a failed job can be retried.' },
  cancel: { act: 'job.cancelled', refusal: 'Only a job that waits can be cancelled.' },
} as const

/** The job moves with its line of the trail, or neither does. */
export async function changeJob(
  { db, clock }: Needs<'db' | 'clock'>,
  move: { of: RunningJobs | undefined; to: keyof typeof moves },
  { caller, params: { jobId }, body: { job }, origin }: Change,
) {
  const { act, refusal } = moves[move.to]
  await inTransaction(db, async (tx) => {
    // A key that was revoked meanwhile acts no more.
    await lockFresh(tx, caller)
    const moved = await move.of?.[move.to](jobId, job)
    if (!moved) throw new JobNotFoundError()
    if (!moved.isMoved) throw new ConflictError({ message: refusal })
    const { userId: actor } = caller
    await recordAudit(tx, { act, actor, details: { job, jobId }, origin, at: clock.now() })
  })
}

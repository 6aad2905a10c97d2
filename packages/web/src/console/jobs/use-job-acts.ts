import { authApi, type JobItem, JobNotFoundError } from '@svc/auth'
import { ConflictError } from '@svc/core/client'
import { useRouter } from 'next/navigation.js'
import { useRef, useState } from 'react'
import { useAction } from '../../account/account.ts'
import { failureWords, type Say, useSay } from '../../account-pages/account-pages.ts'

export type JobAct = 'retry' | 'cancel'

/** What an operator does to a job of the list, and what came of it. */
export function useJobActs() {
  const say = useSay()
  const router = useRouter()
  const [done, setDone] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const acting = useAction(carryOut)

  async function act(kind: JobAct, job: JobItem) {
    setDone('')
    if (await acting.run(kind, job)) setDone(say(doneWords[kind]))
    // The button that had the focus may disappear with its job.
    list.current?.focus()
    // If it was refused, another operator or the job itself was faster.
    router.refresh()
  }

  const problem = acting.error ? refusalWords(say, acting.error) : ''
  return { act, list, done, problem, isBusy: acting.isRunning }
}

async function carryOut(kind: JobAct, { jobId, job }: JobItem): Promise<true> {
  await operations[kind].call({ params: { jobId }, body: { job } })
  return true
}

const operations = { retry: authApi.retryJob, cancel: authApi.cancelJob }

const doneWords = {
  retry: 'The job runs once more. Reload the page to see what became of it.',
  cancel: 'The job is cancelled. It will not run.',
} as const

function refusalWords(say: Say, error: unknown) {
  if (error instanceof JobNotFoundError) return say('This job is no longer kept.')
  if (error instanceof ConflictError)
    return say('Nothing was done: the job is in another state by now. Look at it again.')
  return failureWords(say, error)
}

import { ValidationError } from '@svc/core/client'
import { failureWords, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useRouter } from 'next/navigation.js'
import { useState } from 'react'
import { OrganizationFullError } from '../../membership/errors.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import type { OrganizationSentence } from '../words/organization-words.ts'
import { organizationFailure } from './organization-failure.ts'

interface Options {
  /** What is wrong with input that the API refuses. */
  invalid?: OrganizationSentence
  /** What it means here that there are too many. */
  full?: OrganizationSentence
  /** What an error means that is none of organizations. */
  otherwise?: (error: unknown) => string
}

/** Something that a user does in an organization, and what came of it. The page is rendered again after it. */
export function useAct({ invalid, full, otherwise }: Options = {}) {
  const say = useOrganizationSay()
  const account = useSay()
  const router = useRouter()
  const [done, setDone] = useState('')
  const acting = useAction(async (act: () => Promise<unknown>) => {
    await act()
    return true as const
  })

  /** Resolves to whether it was done. */
  async function run(act: () => Promise<unknown>, words: string) {
    setDone('')
    const isDone = (await acting.run(act)) === true
    if (isDone) setDone(words)
    // If it was refused, another user has changed what the page shows.
    router.refresh()
    return isDone
  }

  function problemOf(error: unknown) {
    if (error === null) return ''
    if (invalid && error instanceof ValidationError) return say(invalid)
    if (full && error instanceof OrganizationFullError) return say(full)
    return organizationFailure(say, error, otherwise ?? ((other) => failureWords(account, other)))
  }

  const { error } = acting
  return { run, done, error, problem: problemOf(error), isBusy: acting.isRunning }
}

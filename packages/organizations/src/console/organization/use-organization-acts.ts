import { ConflictError, ForbiddenError, ValidationError } from '@svc/core/client'
import { failureWords, type Say, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useRouter } from 'next/navigation.js'
import { useRef, useState } from 'react'
import { MemberNotFoundError, OrganizationNotFoundError } from '../../membership/errors.ts'
import { consoleApi, type Details } from '../console-api.ts'
import type { ConsoleSentence } from '../words/console-words.ts'
import { useConsoleSay } from '../words/use-console-say.ts'

/** What is done to the organization and not to a member of it. */
export type WholeAct = 'close' | 'reopen' | 'clear policies'

/** What an operator does to an organization, and why. */
export type OrganizationAct =
  | { kind: WholeAct; reason: string }
  | { kind: 'add owner'; reason: string; userId: string; name: string }

/** What an operator does to an organization, and what came of it. The page is rendered again after each. */
export function useOrganizationActs(organization: Details) {
  const say = useConsoleSay()
  const account = useSay()
  const router = useRouter()
  const [done, setDone] = useState('')
  const [acts, setActs] = useState(0)
  const page = useRef<HTMLDivElement>(null)
  const acting = useAction((each: OrganizationAct) => carryOut(organization.organizationId, each))

  async function act(each: OrganizationAct) {
    setDone('')
    if (await acting.run(each)) {
      setDone(doneWords(say, organization.name, each))
      // What was asked is answered: the question closes, and with it the button that had the focus.
      setActs((before) => before + 1)
      page.current?.focus({ preventScroll: true })
    }
    // If it was refused, another operator may have changed what the page shows.
    router.refresh()
  }

  const problem = acting.error ? refusalWords(say, account, acting.error) : ''
  return { act, acts, page, done, problem, isBusy: acting.isRunning }
}

async function carryOut(organizationId: string, act: OrganizationAct): Promise<true> {
  const { reason } = act
  const params = { organizationId }
  if (act.kind === 'add owner') {
    const body = { reason, userId: act.userId }
    await consoleApi.addAnyOrganizationOwner.call({ params, body })
  } else {
    await operations[act.kind].call({ params, body: { reason } })
  }
  return true
}

const operations = {
  close: consoleApi.closeAnyOrganization,
  reopen: consoleApi.reopenAnyOrganization,
  'clear policies': consoleApi.clearAnyOrganizationPolicies,
}

const doneSentences = {
  close: '{name} is closed. You can open it again until it is deleted.',
  reopen: '{name} is open again.',
  'clear policies': '{name} has no policies now.',
} as const

function doneWords(say: Say<ConsoleSentence>, name: string, act: OrganizationAct) {
  return act.kind === 'add owner'
    ? say('{member} is an owner now.', { member: act.name })
    : say(doneSentences[act.kind], { name })
}

/** What an operator can do about an act that was refused. */
export function refusalWords(say: Say<ConsoleSentence>, account: Say, error: unknown) {
  if (error instanceof OrganizationNotFoundError) return say('This organization no longer exists.')
  if (error instanceof MemberNotFoundError) return say('This user is no longer a member.')
  // A reason of characters that can't be seen.
  if (error instanceof ValidationError) return say('Say why you do this.')
  if (error instanceof ConflictError) {
    return say(
      'Nothing was done: the organization or the member has changed meanwhile, or the member can’t sign in. Look at it again.',
    )
  }
  if (error instanceof ForbiddenError) {
    return say(
      'Nothing was done. Your roles do not allow it, or this page was open for too long. Reload it.',
    )
  }
  return failureWords(account, error)
}

import { authApi, LastSuperadminError, type UserDetails, UserNotFoundError } from '@svc/auth'
import { ConflictError, ForbiddenError } from '@svc/core/client'
import { useRouter } from 'next/navigation.js'
import { useRef, useState } from 'react'
import { useAction } from '../../account/account.ts'
import { failureWords, type Say, useSay } from '../../account-pages/account-pages.ts'
import { userName } from '../user-words.ts'

/** What is done to the account and not to a part of it. */
export type WholeAccountAct =
  | 'suspend'
  | 'reactivate'
  | 'sign out'
  | 'require password'
  | 'close'
  | 'restore'

export type PersonAct =
  | { kind: WholeAccountAct; reason: string }
  | { kind: 'sign out device'; keyId: string; name: string; reason: string }
  | { kind: 'add role' | 'remove role'; role: string; name: string }

/** What an operator does to a user, and what came of it. The page is rendered again after each. */
export function usePersonActs(user: UserDetails) {
  const say = useSay()
  const router = useRouter()
  const [done, setDone] = useState('')
  const [acts, setActs] = useState(0)
  const page = useRef<HTMLDivElement>(null)
  const acting = useAction((each: PersonAct) => carryOut(user.userId, each))

  async function act(each: PersonAct) {
    setDone('')
    const hasWorked = await acting.run(each)
    if (hasWorked) {
      setDone(doneWords[each.kind](say, { user: userName(user), of: ofAct(each) }))
      // What was asked is answered: the question closes, and with it the button that had the focus.
      setActs((before) => before + 1)
      page.current?.focus({ preventScroll: true })
    }
    // Where it was refused, another operator may have changed what the page shows.
    router.refresh()
  }

  const problem = acting.error ? refusalWords(say, acting.error) : ''
  return { act, acts, page, done, problem, isBusy: acting.isRunning }
}

async function carryOut(userId: string, act: PersonAct): Promise<true> {
  const params = { userId }
  if ('role' in act) {
    const { role } = act
    if (act.kind === 'add role') await authApi.addUserRole.call({ params, body: { role } })
    else await authApi.removeUserRole.call({ params: { userId, role } })
    return true
  }
  const { reason } = act
  const why = { ...(reason && { reason }) }
  if ('keyId' in act) {
    await authApi.signUserOut.call({ params, body: { keyId: act.keyId, ...why } })
  } else {
    await operations[act.kind].call({ params, body: why })
  }
  return true
}

const operations = {
  suspend: authApi.suspendUser,
  reactivate: authApi.reactivateUser,
  'sign out': authApi.signUserOut,
  'require password': authApi.requireNewPassword,
  close: authApi.closeUser,
  restore: authApi.restoreUser,
}

interface Done {
  user: string
  /** The name of a role or a device. */
  of: string
}

const doneWords: Record<PersonAct['kind'], (say: Say, done: Done) => string> = {
  suspend: (say, { user }) => say('{user} is suspended, and signed out everywhere.', { user }),
  reactivate: (say, { user }) => say('{user} can sign in again.', { user }),
  'sign out': (say, { user }) => say('{user} is signed out everywhere.', { user }),
  'sign out device': (say, { user, of }) =>
    say('{user} is signed out of {device}.', { user, device: of }),
  'require password': (say, { user }) =>
    say('{user} must choose another password at the next sign-in.', { user }),
  close: (say, { user }) =>
    say('{user} is closed. You can restore it until it is deleted.', { user }),
  restore: (say, { user }) => say('{user} is restored.', { user }),
  'add role': (say, { user, of }) => say('{user} has the role {role} now.', { user, role: of }),
  'remove role': (say, { user, of }) =>
    say('{user} no longer has the role {role}.', { user, role: of }),
}

function ofAct(act: PersonAct) {
  return 'name' in act ? act.name : ''
}

function refusalWords(say: Say, error: unknown) {
  if (error instanceof LastSuperadminError)
    return say('This is the last superadmin. Give another user that role first.')
  if (error instanceof UserNotFoundError) return say('This account is deleted.')
  if (error instanceof ConflictError)
    return say('Nothing was done: the account has changed meanwhile. Look at it again.')
  if (error instanceof ForbiddenError)
    return say(
      'Nothing was done. You can’t change an account whose role ranks as high as yours or higher.',
    )
  return failureWords(say, error)
}

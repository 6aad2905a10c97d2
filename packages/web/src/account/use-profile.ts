import { type AuthApi, authApi } from '@svc/auth'
import type { AnswerOf } from '@svc/core/client'
import { useEffect, useState } from 'react'
import { useAction } from './use-action.ts'

/** The profile of the signed-in user: the response of `getUserProfile`. */
export type UserProfile = AnswerOf<AuthApi['getUserProfile']>
type Changes = NonNullable<NonNullable<Parameters<AuthApi['updateUserProfile']['call']>[0]>['body']>

interface UseProfileOptions {
  /** What the server found when it rendered the page. */
  initial: UserProfile
  api?: Pick<typeof authApi, 'updateUsername' | 'updateUserProfile'>
}

/**
 * The profile of an account. The username is saved first: if it is refused, nothing else is
 * changed.
 */
export function useProfile({ initial, api = authApi }: UseProfileOptions) {
  const [profile, setProfile] = useState(initial)
  const saving = useAction(
    async ({ username, ...changes }: Changes & { username?: string | null }) => {
      if (username !== undefined && username !== (profile.username ?? null)) {
        await api.updateUsername.call({ body: { username } })
      }
      const saved = await api.updateUserProfile.call({ body: changes })
      setProfile(saved)
      return saved
    },
  )
  return { profile, saving }
}

/** Whether a username can be taken, as far as it is known. */
export type UsernameStatus =
  /** There is nothing to check: the field is empty, or has the account's own name. */
  | 'unasked'
  | 'checking'
  | 'available'
  /** Taken, reserved, or not a valid username. */
  | 'unavailable'
  /** The API did not answer. */
  | 'unknown'

interface UseUsernameCheckOptions {
  /** The username that the account has. */
  current?: string | undefined
  /** How long the user must have stopped typing before a name is checked: checks are limited. */
  pauseMillis?: number
  api?: Pick<typeof authApi, 'checkUsername'>
}

interface Answered {
  username: string
  status: UsernameStatus
}

/**
 * Checks whether a username is available, while the user types it. The answer can change before the
 * name is saved.
 */
export function useUsernameCheck(
  username: string,
  { current = '', pauseMillis = 400, api = authApi }: UseUsernameCheckOptions = {},
): UsernameStatus {
  const [answered, setAnswered] = useState<Answered | null>(null)
  const isAsked = username !== '' && username.toLowerCase() !== current.toLowerCase()

  useEffect(() => {
    if (!isAsked) return undefined
    const giveUp = new AbortController()
    const answer = (status: UsernameStatus) =>
      giveUp.signal.aborted || setAnswered({ username, status })
    const timer = setTimeout(() => {
      api.checkUsername.call({ query: { username } }, { signal: giveUp.signal }).then(
        ({ available }) => answer(available ? 'available' : 'unavailable'),
        () => answer('unknown'),
      )
    }, pauseMillis)
    return () => {
      clearTimeout(timer)
      giveUp.abort()
    }
  }, [username, isAsked, pauseMillis, api])

  if (!isAsked) return 'unasked'
  return answered?.username === username ? answered.status : 'checking'
}

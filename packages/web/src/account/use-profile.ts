import { type AuthApi, authApi } from '@svc/auth'
import type { AnswerOf } from '@svc/core/client'
import { useState } from 'react'
import { useAction } from './use-action.ts'

export type UserProfile = AnswerOf<AuthApi['getUserProfile']>
type Changes = NonNullable<NonNullable<Parameters<AuthApi['updateUserProfile']['call']>[0]>['body']>

interface Options {
  /** What the server found when it rendered the page. */
  initial: UserProfile
  api?: Pick<typeof authApi, 'updateUsername' | 'updateUserProfile'>
}

/** What an account says of itself. The username is saved first: while it is refused, nothing else is changed. */
export function useProfile({ initial, api = authApi }: Options) {
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

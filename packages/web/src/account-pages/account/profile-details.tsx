'use client'

import type { UserProfile } from '../../account/use-profile.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Panel } from '../ui/panel.tsx'
import { languages } from './languages.ts'
import { ProfileForm } from './profile-form.tsx'
import { timezones } from './timezones.ts'

interface Props {
  /** Null while the user must change their password. */
  profile: UserProfile | null
}

/** What the account says of itself. */
export function ProfileDetails({ profile }: Props) {
  const say = useSay()
  if (!profile) {
    return (
      <Panel
        title={say('Change your password first')}
        about={say('You can’t use your profile until then. Change the password under Security.')}
      />
    )
  }
  const { locale, timezone } = profile.profile
  return (
    <ProfileForm initial={profile} languages={languages(locale)} regions={timezones(timezone)} />
  )
}

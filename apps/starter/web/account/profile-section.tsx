import { PasswordChangeRequiredError } from '@svc/auth'
import { serverAuthApi } from '../server-api.ts'
import { Panel } from '../ui/panel.tsx'
import { languages } from './languages.ts'
import { ProfileForm } from './profile-form.tsx'
import { timezones } from './timezones.ts'

/** What the account says of itself, as it is now. */
export async function ProfileSection() {
  const initial = await knownProfile()
  if (!initial) {
    return (
      <Panel
        title="Change your password first"
        about="You can’t use your profile until then. Change the password under Security."
      />
    )
  }
  const { locale, timezone } = initial.profile
  return (
    <ProfileForm initial={initial} languages={languages(locale)} regions={timezones(timezone)} />
  )
}

async function knownProfile() {
  try {
    return await serverAuthApi().getUserProfile.call()
  } catch (error) {
    if (error instanceof PasswordChangeRequiredError) return null
    throw error
  }
}

import { PasswordChangeRequiredError } from '@svc/auth'
import { requireSession } from '../../guards/guards.ts'
import { ProfileDetails, ProfileView } from '../account/profile-form.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'
import { serverAuthApi } from './server-account.ts'

/** The name, username and settings of the user. */
export async function ProfilePage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.profile)
  const { userId, email } = await requireSession(guard)
  return (
    <ProfileView {...slots} {...{ userId, email }}>
      <Details />
    </ProfileView>
  )
}

async function Details() {
  return <ProfileDetails profile={await knownProfile()} />
}

async function knownProfile() {
  try {
    return await serverAuthApi().getUserProfile.call()
  } catch (error) {
    if (error instanceof PasswordChangeRequiredError) return null
    throw error
  }
}

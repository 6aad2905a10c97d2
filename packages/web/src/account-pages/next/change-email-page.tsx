import { requireSession } from '../../guards/guards.ts'
import { ChangeEmailView } from '../contact/change-email.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'

/** Changes the email of the account. */
export async function ChangeEmailPage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.changeEmail)
  const { email = '', hasPassword } = await requireSession(guard)
  return <ChangeEmailView {...slots} {...{ email, hasPassword }} />
}

import type { ReactNode } from 'react'
import { requireSession } from '../../guards/guards.ts'
import { DeleteAccountView } from '../deletion/data-panel.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'

/** The page's place and slots, and what you tell the user about your own data. */
export interface DeleteAccountPageProps extends AccountPageProps {
  /** What happens to the data of your application, as `<li>`. */
  consequences?: ReactNode
}

/** Closes the account of the user. */
export async function DeleteAccountPage(given: DeleteAccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.deleteAccount)
  const { email = '', hasPassword } = await requireSession(guard)
  return (
    <DeleteAccountView {...slots} {...{ email, hasPassword }} consequences={given.consequences} />
  )
}

import { returnPath } from '../../page/client.ts'
import { ForgotPasswordView } from '../password/forgot-password.tsx'
import type { EntranceProps } from './page-props.ts'

/** Sends a link that sets a new password. */
export async function ForgotPasswordPage({ searchParams, ...slots }: EntranceProps<'returnTo'>) {
  return <ForgotPasswordView {...slots} returnTo={returnPath((await searchParams).returnTo)} />
}

import { getOpenedLink } from '../../guards/guards.ts'
import { ResetPasswordView } from '../password/reset-password.tsx'
import type { EntranceProps } from './page-props.ts'

/** A mailed reset link leads here. Rendering it changes nothing. */
export async function ResetPasswordPage({ searchParams, ...slots }: EntranceProps<'token'>) {
  const hasToken = Boolean((await searchParams).token)
  const opened = await getOpenedLink('password reset')
  return <ResetPasswordView {...slots} {...{ hasToken, opened }} />
}

import { getOpenedLink } from '../../guards/guards.ts'
import { CompleteSignUpView } from '../sign-up/complete-sign-up.tsx'
import type { EntranceProps } from './page-props.ts'

/** A mailed sign-up link leads here. Rendering it changes nothing. */
export async function CompleteSignUpPage({ searchParams, ...slots }: EntranceProps<'token'>) {
  const hasToken = Boolean((await searchParams).token)
  const opened = await getOpenedLink('signup')
  return <CompleteSignUpView {...slots} {...{ hasToken, opened }} />
}

import { OAuthError } from '../social/finish-social-sign-in.tsx'
import type { EntranceProps } from './page-props.ts'
import { knownSession } from './server-account.ts'

/** The API's SVC_AUTH_OAUTH_ERROR_URL leads here. */
export async function SocialErrorPage({ searchParams, ...slots }: EntranceProps<'error'>) {
  const { error = '' } = await searchParams
  const isSignedIn = (await knownSession()) !== null
  return <OAuthError {...slots} error={String(error)} isSignedIn={isSignedIn} />
}

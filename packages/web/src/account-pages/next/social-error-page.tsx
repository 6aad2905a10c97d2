import { OAuthError } from '../social/oauth-error.tsx'
import type { EntranceProps } from './page-props.ts'
import { knownSession } from './server-account.ts'

/** The API's SVC_AUTH_OAUTH_ERROR_URL leads here. */
export async function SocialErrorPage({ searchParams }: EntranceProps<'error'>) {
  const { error = '' } = await searchParams
  return <OAuthError error={String(error)} isSignedIn={(await knownSession()) !== null} />
}

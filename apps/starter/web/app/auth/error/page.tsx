import type { Metadata } from 'next'
import { OAuthError } from '../../../social/oauth-error.tsx'
import { knownSession } from '../../known-session.ts'

export const metadata: Metadata = { title: 'Not signed in · Svc starter' }

interface Props {
  searchParams: Promise<{ error?: string | string[] }>
}

/** The API's SVC_AUTH_OAUTH_ERROR_URL leads here. */
export default async function Page({ searchParams }: Props) {
  const { error = '' } = await searchParams
  const isSignedIn = (await knownSession()) !== null
  return <OAuthError error={String(error)} isSignedIn={isSignedIn} />
}

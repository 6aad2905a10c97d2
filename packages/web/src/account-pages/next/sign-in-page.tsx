import { redirect } from 'next/navigation.js'
import { hasSessionEnded } from '../../guards/guards.ts'
import { returnPath } from '../../page/client.ts'
import { SignInView } from '../sign-in/sign-in.tsx'
import type { EntranceProps } from './page-props.ts'
import { knownSession, webProviders } from './server-account.ts'

/** Signs the user in with a passkey, a provider, a password or a code, and leads to `returnTo`. */
export async function SignInPage({ searchParams, ...slots }: EntranceProps<'returnTo' | 'with'>) {
  const given = await searchParams
  const returnTo = returnPath(given.returnTo)
  // If the API is down, the form says so when it is sent.
  if (await knownSession()) redirect(returnTo)
  const [hasEnded, providers] = await Promise.all([
    hasSessionEnded().catch(() => false),
    webProviders(),
  ])
  const way = given.with === 'code' ? 'code' : 'password'
  return <SignInView {...slots} {...{ way, returnTo, hasEnded, providers }} />
}

import { redirect } from 'next/navigation.js'
import { returnPath } from '../../page/client.ts'
import { accountPaths } from '../provider/account-paths.ts'
import { SignUpView } from '../sign-up/sign-up.tsx'
import type { EntranceProps } from './page-props.ts'
import { knownSession, webProviders } from './server-account.ts'

/** Creates an account with a link by email. */
export async function SignUpPage({ searchParams, ...slots }: EntranceProps<'returnTo'>) {
  const given = (await searchParams).returnTo
  const returnTo = given === undefined ? accountPaths.profile : returnPath(given)
  // If the API is down, the form says so when it is sent.
  if (await knownSession()) redirect(returnTo)
  return <SignUpView {...slots} returnTo={returnTo} providers={await webProviders()} />
}

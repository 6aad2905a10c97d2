import { notFound, redirect } from 'next/navigation.js'
import { readLogout } from '../../logout/logout.ts'
import { SignInFirst } from '../consent/sign-in-first.tsx'
import { LogoutView } from '../logout/logout.tsx'
import type { AccountPageProps, EntranceProps } from './page-props.ts'

type LogoutPageProps = EntranceProps<'request'> & Pick<AccountPageProps, 'path' | 'loginPath'>

/** Asks a user to sign out here too, for an application. The API's SVC_AUTH_OAUTH2_LOGOUT_PATH leads here. */
export async function LogoutPage({
  searchParams,
  path = '/oauth2/logout',
  loginPath = '/login',
  ...slots
}: LogoutPageProps) {
  const { request = '' } = await searchParams
  const logout = await readLogout(String(request), { path, loginPath })
  if (logout.state === 'not there') notFound()
  if (logout.state === 'back') redirect(logout.path)
  if (logout.state === 'to sign in') return <SignInFirst {...logout} />
  return <LogoutView {...slots} logout={logout} />
}

import { hasSessionEnded, returnPath } from '@svc/web/next'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SignInPage } from '../../sign-in/sign-in-page.tsx'
import { webProviders } from '../../social/web-providers.ts'
import { knownSession } from '../known-session.ts'

export const metadata: Metadata = { title: 'Sign in · Svc starter' }

interface Props {
  searchParams: Promise<{ returnTo?: string | string[]; with?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const given = await searchParams
  const returnTo = returnPath(given.returnTo)
  // While the API is away the form says so, once it is sent.
  if (await knownSession()) redirect(returnTo)
  const [hasEnded, providers] = await Promise.all([
    hasSessionEnded().catch(() => false),
    webProviders(),
  ])
  const way = given.with === 'code' ? 'code' : 'password'
  return <SignInPage way={way} returnTo={returnTo} {...{ hasEnded, providers }} />
}

import { SecurityPage } from '@svc/web/account/next'
import { getSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { pageWords } from '../../../words/page-words.ts'
import { SignOutLink } from './sign-out-link.tsx'

export const metadata: Metadata = { title: 'Security' }

export default async function Page() {
  const [session, words] = await Promise.all([getSession(), pageWords()])
  const link = session?.email && <SignOutLink email={session.email} words={words.signOutLink} />
  return <SecurityPage ifWrong={link} />
}

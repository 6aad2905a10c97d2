import { type EntranceProps, SignInPage } from '@svc/web/account/next'
import type { Metadata } from 'next'
import { isOnThisMachine } from '../../env.ts'
import { pageWords } from '../../words/page-words.ts'

export const metadata: Metadata = { title: 'Sign in' }

export default function Page(given: EntranceProps<'returnTo' | 'with'>) {
  return <SignInPage {...given} {...(isOnThisMachine && { notes: <FirstSignIn /> })} />
}

async function FirstSignIn() {
  const { site } = await pageWords()
  return <p>{site.firstSignIn}</p>
}

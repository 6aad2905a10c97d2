import { getOpenedLink } from '@svc/web/next'
import type { Metadata } from 'next'
import { RegisterNotes } from '../../../register/register-notes.tsx'
import { Entrance } from '../../../sign-in/entrance.tsx'
import { CompleteSignup } from '../../../sign-up/complete-signup.tsx'

export const metadata: Metadata = { title: 'Create an account · Svc starter' }

interface Props {
  searchParams: Promise<{ token?: string | string[] }>
}

/** A mailed link leads here. Rendering it changes nothing. */
export default async function Page({ searchParams }: Props) {
  const hasToken = Boolean((await searchParams).token)
  const opened = await getOpenedLink('signup')
  return (
    <Entrance title="Create an account" notes={<RegisterNotes returnTo="/account" />}>
      <CompleteSignup hasToken={hasToken} opened={opened} />
    </Entrance>
  )
}

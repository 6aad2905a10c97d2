import { getOpenedLink } from '@svc/web/next'
import type { Metadata } from 'next'
import { CompleteReset } from '../../../password/complete-reset.tsx'
import { ResetNotes } from '../../../password/reset-notes.tsx'
import { Entrance } from '../../../sign-in/entrance.tsx'

export const metadata: Metadata = { title: 'New password · Svc starter' }

interface Props {
  searchParams: Promise<{ token?: string | string[] }>
}

/** A mailed link leads here. Rendering it changes nothing. */
export default async function Page({ searchParams }: Props) {
  const hasToken = Boolean((await searchParams).token)
  const opened = await getOpenedLink('password reset')
  return (
    <Entrance title="New password" notes={<ResetNotes returnTo="/" />}>
      <CompleteReset hasToken={hasToken} opened={opened} />
    </Entrance>
  )
}

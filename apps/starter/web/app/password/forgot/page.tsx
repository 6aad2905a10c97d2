import { returnPath } from '@svc/web/next'
import type { Metadata } from 'next'
import { RequestReset } from '../../../password/request-reset.tsx'
import { ResetNotes } from '../../../password/reset-notes.tsx'
import { Entrance } from '../../../sign-in/entrance.tsx'

export const metadata: Metadata = { title: 'Forgotten password · Svc starter' }

interface Props {
  searchParams: Promise<{ returnTo?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const returnTo = returnPath((await searchParams).returnTo)
  return (
    <Entrance title="Forgotten password" notes={<ResetNotes returnTo={returnTo} />}>
      <RequestReset returnTo={returnTo} />
    </Entrance>
  )
}

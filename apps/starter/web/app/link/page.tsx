import { returnPath } from '@svc/web/next'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { LinkDevice } from '../../device/link-device.tsx'
import { LinkNotes } from '../../device/link-notes.tsx'
import { Entrance } from '../../sign-in/entrance.tsx'
import { knownSession } from '../known-session.ts'

export const metadata: Metadata = { title: 'Sign in with another device · Svc starter' }

interface Props {
  searchParams: Promise<{ returnTo?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const returnTo = returnPath((await searchParams).returnTo)
  if (await knownSession()) redirect(returnTo)
  return (
    <Entrance title="Sign in with another device" notes={<LinkNotes returnTo={returnTo} />}>
      <LinkDevice returnTo={returnTo} />
    </Entrance>
  )
}

import type { Metadata } from 'next'
import { RestoreAccount } from '../../deletion/restore-account.tsx'
import { dayInWords } from '../../deletion/restore-address.ts'
import { RestoreNotes } from '../../deletion/restore-notes.tsx'
import { Entrance } from '../../sign-in/entrance.tsx'

export const metadata: Metadata = { title: 'Restore your account · Svc starter' }

interface Props {
  searchParams: Promise<{ with?: string | string[]; until?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const given = await searchParams
  const until = dayInWords(given.until)
  return (
    <Entrance
      title={until ? 'Your account is closed' : 'Restore your account'}
      notes={<RestoreNotes />}
    >
      {until && (
        <p role="status" className="mb-4 text-sm leading-relaxed">
          Every device is signed out. You can restore the account here until{' '}
          <strong className="font-medium">{until}</strong>; then it is deleted for good. A message
          that says so is on its way to you.
        </p>
      )}
      <RestoreAccount way={given.with === 'code' ? 'code' : 'password'} />
    </Entrance>
  )
}

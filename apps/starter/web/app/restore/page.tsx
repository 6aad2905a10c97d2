import type { Metadata } from 'next'
import { RestoreAccount } from '../../deletion/restore-account.tsx'
import { dayInWords } from '../../deletion/restore-address.ts'

export const metadata: Metadata = { title: 'Restore your account · Svc starter' }

interface Props {
  searchParams: Promise<{ with?: string | string[]; until?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const given = await searchParams
  return (
    <RestoreAccount
      way={given.with === 'code' ? 'code' : 'password'}
      until={dayInWords(given.until, Date.now())}
    />
  )
}

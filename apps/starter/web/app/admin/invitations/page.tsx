import { InvitationsPage, type InvitationsPageProps } from '@svc/web/account/next'
import type { Metadata } from 'next'
import { Denied } from '../../../admin/denied.tsx'
import { seeUsers } from '../../../permissions.ts'

export const metadata: Metadata = { title: 'Invitations' }

export default function Page({ searchParams }: InvitationsPageProps) {
  return (
    <InvitationsPage
      searchParams={searchParams}
      denied={<Denied needs={`the permission ${seeUsers}`} />}
    />
  )
}

import type { ReactNode } from 'react'
import { PageHeading } from './page-heading.tsx'
import type { PageSlots } from './page-slots.ts'

interface Props extends PageSlots {
  title: string
  about?: string
  children: ReactNode
}

/** A page of a user who is signed in. */
export function AccountPage({ title, about, header, after, children }: Props) {
  return (
    <main className="svc-page">
      <PageHeading title={title}>{about}</PageHeading>
      {header}
      {children}
      {after}
    </main>
  )
}

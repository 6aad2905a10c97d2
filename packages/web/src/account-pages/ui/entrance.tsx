'use client'

import type { ReactNode } from 'react'
import { useAccount, useSay } from '../provider/account-provider.tsx'
import { PageHeading } from './page.tsx'
import type { EntranceSlots } from './page-slots.ts'

interface EntranceProps {
  title: ReactNode
  /** Beside the form: what else the user may want to know. */
  notes: ReactNode
  children: ReactNode
  slots?: EntranceSlots
}

/** A page for a user who is not signed in yet: one sheet, and notes in its margin. */
export function Entrance({ title, notes, children, slots = {} }: EntranceProps) {
  const { brand, say } = useAccount()
  return (
    <main lang={say.locale} className="svc-page svc-entrance">
      {brand}
      <PageHeading title={title} />
      {slots.header}
      <div className="svc-entrance-columns">
        <div className="svc-sheet">{children}</div>
        <section aria-label={say('Notes')} className="svc-notes">
          {notes}
          {slots.notes}
        </section>
      </div>
      {slots.after}
    </main>
  )
}

/** Between alternatives. */
export function Or() {
  const say = useSay()
  return (
    <p aria-hidden="true" className="svc-or">
      {say('or')}
    </p>
  )
}

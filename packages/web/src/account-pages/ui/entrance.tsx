import type { ReactNode } from 'react'
import { useAccount } from '../provider/account-provider.tsx'
import { PageHeading } from './page-heading.tsx'
import type { EntranceSlots } from './page-slots.ts'

interface Props {
  title: string
  /** Beside what is asked for: what else one may want to know. */
  notes: ReactNode
  children: ReactNode
  slots?: EntranceSlots
}

/** A page for a user who is not signed in yet: one sheet, and notes in its margin. */
export function Entrance({ title, notes, children, slots = {} }: Props) {
  const { brand, say } = useAccount()
  return (
    <main className="svc-page svc-entrance">
      {brand}
      <PageHeading title={title} />
      {slots.header}
      <div className="svc-entrance-columns">
        <div className="svc-sheet">{children}</div>
        <aside aria-label={say('Notes')} className="svc-notes">
          {notes}
          {slots.notes}
        </aside>
      </div>
      {slots.after}
    </main>
  )
}

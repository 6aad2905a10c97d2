import type { ReactNode } from 'react'
import { PageHeading } from '../ui/page-heading.tsx'

interface Props {
  title: string
  /** Beside what is asked for: what else one may want to know. */
  notes: ReactNode
  children: ReactNode
}

/** A page for who is not signed in yet: one sheet, and notes in its margin. */
export function Entrance({ title, notes, children }: Props) {
  return (
    <main className="pb-16">
      <PageHeading title={title} />
      <div className="grid items-start gap-x-10 gap-y-8 sm:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
        <div className="rounded-xl border border-line bg-sheet p-5 sm:p-6">{children}</div>
        <aside
          aria-label="Notes"
          className="grid gap-4 border-line border-l pl-5 text-faded text-sm leading-relaxed"
        >
          {notes}
        </aside>
      </div>
    </main>
  )
}

import type { Metadata } from 'next'
import { UndoChange } from '../../../../contact/undo-change.tsx'
import { UndoNotes } from '../../../../contact/undo-notes.tsx'
import { Entrance } from '../../../../sign-in/entrance.tsx'

export const metadata: Metadata = { title: 'Undo a change · Svc starter' }

interface Props {
  searchParams: Promise<{ token?: string | string[] }>
}

/** A mailed link leads here, and asks for no sign-in: the frame of the other account pages is not around it. */
export default async function Page({ searchParams }: Props) {
  const hasToken = Boolean((await searchParams).token)
  return (
    <Entrance title="Undo a change" notes={<UndoNotes />}>
      <UndoChange hasToken={hasToken} />
    </Entrance>
  )
}

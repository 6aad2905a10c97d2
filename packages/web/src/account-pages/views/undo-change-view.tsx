'use client'

import { UndoChange } from '../contact/undo-change.tsx'
import { UndoNotes } from '../contact/undo-notes.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  hasToken: boolean
}

/** Takes back a change of the email, from a mailed link. */
export function UndoChangeView({ hasToken, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance title={say('Undo a change')} notes={<UndoNotes />} slots={slots}>
      <UndoChange hasToken={hasToken} />
    </Entrance>
  )
}

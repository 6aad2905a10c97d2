'use client'

import { useContactUndo } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { OpenLink } from '../links/open-link.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { OfferUndo } from './offer-undo.tsx'
import { UndoOver } from './undo-over.tsx'
import { Undone } from './undone.tsx'

/** Where the notice to an old address leads. */
export function UndoChange({ hasToken }: { hasToken: boolean }) {
  const router = useRouter()
  const undo = useContactUndo({
    hasToken,
    // Whoever was signed in here is out.
    onUndone: () => router.refresh(),
  })
  const { stage, change } = undo
  return (
    <FocusOnChange of={stage}>
      {stage === 'unopened' && (
        <OpenLink opening={undo.opening} label="Try again" busyLabel="Checking the link…">
          You opened the link in our message. Nothing has changed yet.
        </OpenLink>
      )}
      {stage === 'opened' && change && <OfferUndo change={change} undoing={undo.undoing} />}
      {stage === 'undone' && change && (
        <Undone change={change} revokedCount={undo.revokedCount ?? 0} />
      )}
      {stage === 'over' && <UndoOver />}
    </FocusOnChange>
  )
}

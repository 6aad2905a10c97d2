'use client'

import { useRouter } from 'next/navigation.js'
import { useContactUndo } from '../../account/use-contact-change.ts'
import { OpenLink } from '../links/open-link.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { OfferUndo } from './offer-undo.tsx'
import { UndoOver } from './undo-over.tsx'
import { Undone } from './undone.tsx'

/** Where the notice to an old address leads. */
export function UndoChange({ hasToken }: { hasToken: boolean }) {
  const say = useSay()
  const router = useRouter()
  const undo = useContactUndo({
    hasToken,
    // The session here has ended.
    onUndone: () => router.refresh(),
  })
  const { stage, change } = undo
  return (
    <FocusOnChange of={stage}>
      {stage === 'unopened' && (
        <OpenLink
          opening={undo.opening}
          label={say('Try again')}
          busyLabel={say('Checking the link…')}
        >
          {say('You opened the link in our message. Nothing has changed yet.')}
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

'use client'

import type { ownerEvents } from '@svc/auth'
import { createAuthSSEClient } from '@svc/core/client'
import type { defineEventRouter } from '@svc/core/contract'
import { useEffect } from 'react'
import { useTellChange } from './account-changes.tsx'

type OwnerRouter = ReturnType<typeof defineEventRouter<typeof ownerEvents>>

/** Listens to what becomes of the account. A server without such streams refuses it once, and the page is as without. */
export function AccountStream({ userId }: { userId: string }) {
  const tell = useTellChange()
  useEffect(() => {
    const client = createAuthSSEClient<OwnerRouter>({ shareAcrossTabs: userId })
    client.subscribe({
      handlers: {
        supportOpenedEvent: tell,
        supportEndedEvent: tell,
        keyRevokedEvent: tell,
        approvalChangedEvent: tell,
      },
      // Something may have happened since the page was rendered, or while there was no stream.
      onOpen: ({ recovered }) => recovered || tell(),
      onGap: tell,
    })
    return () => client.close()
  }, [userId, tell])
  return null
}

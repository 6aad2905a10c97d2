'use client'

import type { AuthSession, KeyListItem } from '@svc/auth'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { type Device, useDevices } from '../../account/account.ts'
import { useAccountChange } from '../live/account-changes.tsx'
import { useNow } from '../ui/relative-time.tsx'

interface Support {
  /** Those that are open on the account. */
  sessions: readonly Device[]
  isEnding: boolean
  /** Why the last end has failed, or null. */
  error: unknown
  /** Resolves to whether it has ended. */
  end: (session: Device) => Promise<boolean>
}

const SupportContext = createContext<Support>({
  sessions: [],
  isEnding: false,
  error: null,
  end: async () => false,
})

interface Given {
  session: AuthSession | null
  /** Those that the server found when it rendered the page. */
  initial: KeyListItem[]
  renderedAt: number
}

/** Around the pages of an account: which support sessions are open on it now. */
export function SupportSessions({ children, ...given }: Given & { children: ReactNode }) {
  return <SupportContext value={useSupportSessions(given)}>{children}</SupportContext>
}

export function useSupport() {
  return useContext(SupportContext)
}

function useSupportSessions({ session, initial, renderedAt }: Given): Support {
  const { devices, revoking, reload } = useDevices({ keyId: session?.keyId ?? '', initial })
  const tellChange = useAccountChange(session?.supportConsent ? reload : null)
  const now = useNow(renderedAt)
  const sessions = (devices ?? []).filter((each) => each.kind === 'support' && !each.isExpired)

  // When a session is over is the API's to say: clocks differ.
  const isDue = sessions.some(({ expiresAtMillis = 0 }) => expiresAtMillis <= now)
  useEffect(() => {
    if (isDue) void reload()
  }, [now, isDue, reload])

  async function end({ keyId }: Device) {
    const ended = await revoking.run(keyId)
    if (ended) tellChange()
    return ended !== null
  }

  return { sessions, isEnding: revoking.isRunning, error: revoking.error, end }
}

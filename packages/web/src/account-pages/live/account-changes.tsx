'use client'

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { oneAfterAnother, type Read } from './one-after-another.ts'

/** Tells the parts of a page that the account has changed, so that each reads again what it shows. */
function newChanges() {
  const listeners = new Set<() => void>()
  return {
    listen: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell: () => {
      for (const listener of listeners) listener()
    },
  }
}

const ChangesContext = createContext(newChanges())

/** Around the pages of an account. */
export function AccountChanges({ children }: { children: ReactNode }) {
  const [changes] = useState(newChanges)
  return <ChangesContext value={changes}>{children}</ChangesContext>
}

/** What tells the parts of the page that the account has changed. */
export function useTellChange() {
  return useContext(ChangesContext).tell
}

/**
 * Reads again when the account has changed, and when the user comes back to the page. Answers what tells the other parts
 * of the page that this one has changed something.
 */
export function useAccountChange(read: Read | null) {
  const { listen, tell } = useContext(ChangesContext)
  useEffect(() => {
    if (!read) return undefined
    const again = oneAfterAnother(read)
    const look = () => document.hidden || again()
    document.addEventListener('visibilitychange', look)
    const stop = listen(again)
    return () => {
      document.removeEventListener('visibilitychange', look)
      stop()
    }
  }, [read, listen])
  return tell
}

'use client'

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { QuietButton } from './button.tsx'
import { ToastContext, type Undo } from './outcome.tsx'
import { PageHeading } from './page.tsx'
import type { PageSlots } from './page-slots.ts'

interface AccountPageProps extends PageSlots {
  title: string
  about?: string
  children: ReactNode
}

/** A page of a user who is signed in. */
export function AccountPage({ title, about, header, after, children }: AccountPageProps) {
  const say = useSay()
  return (
    <main lang={say.locale} className="svc-page">
      <Toasts>
        <PageHeading title={title}>{about}</PageHeading>
        {header}
        {children}
        {after}
      </Toasts>
    </main>
  )
}

const shownMillis = 10_000

/** Around a page: what was done is said at the lower edge of the window, for a while. */
function Toasts({ children }: { children: ReactNode }) {
  const say = useSay()
  const [toast, setToast] = useState<{ words: string; undo: Undo } | null>(null)
  // Some people read slowly: it stays as long as the pointer or the focus is in it.
  const [isHeld, setHeld] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const show = useCallback((words: string, undo: Undo) => {
    const shown = { words, undo }
    setToast(shown)
    return () => setToast((now) => (now === shown ? null : now))
  }, [])
  useEffect(() => {
    if (!toast || isHeld) return undefined
    const timer = setTimeout(() => setToast(null), shownMillis)
    return () => clearTimeout(timer)
  }, [toast, isHeld])

  function undoIt() {
    // The button that had the focus disappears.
    box.current?.focus()
    toast?.undo?.()
  }

  return (
    <ToastContext value={show}>
      {children}
      <div
        role="status"
        ref={box}
        tabIndex={-1}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
        className="svc-toasts"
      >
        {toast && (
          <p className="svc-toast">
            <span className="svc-break">{toast.words}</span>
            {toast.undo && <QuietButton onClick={undoIt}>{say('Undo')}</QuietButton>}
          </p>
        )}
      </div>
    </ToastContext>
  )
}

'use client'

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { QuietButton } from './button.tsx'

interface Toast {
  words: string
  undo?: () => void
}

const ToastContext = createContext<((next: (now: Toast | null) => Toast | null) => void) | null>(
  null,
)

const shownMillis = 10_000

/** Around a page: what was done is said at the lower edge of the window, for a while. */
export function Toasts({ children }: { children: ReactNode }) {
  const say = useSay()
  const [toast, setToast] = useState<Toast | null>(null)
  // Some people read slowly: it stays as long as the pointer or the focus is in it.
  const [isHeld, setHeld] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!toast || isHeld) return undefined
    const timer = setTimeout(() => setToast(null), shownMillis)
    return () => clearTimeout(timer)
  }, [toast, isHeld])

  function undo() {
    // The button that had the focus disappears.
    box.current?.focus()
    toast?.undo?.()
  }

  return (
    <ToastContext value={setToast}>
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
            {toast.undo && <QuietButton onClick={undo}>{say('Undo')}</QuietButton>}
          </p>
        )}
      </div>
    </ToastContext>
  )
}

/**
 * Says what was done in a toast, until the words change. Answers whether it can: otherwise they are to be said in their
 * place.
 */
export function useToast(words: string, undo: (() => void) | undefined) {
  const show = useContext(ToastContext)
  const latest = useRef(undo)
  latest.current = undo
  useEffect(() => {
    if (!words || !show) return undefined
    const toast = { words, ...(latest.current && { undo: () => latest.current?.() }) }
    show(() => toast)
    return () => show((now) => (now === toast ? null : now))
  }, [words, show])
  return show !== null
}

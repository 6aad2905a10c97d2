import { createContext, useContext, useEffect, useRef } from 'react'
import { isRefusedWith } from '../page/client.ts'

/** What an operation has asked for: the second factor again, or a fresh proof. */
export type ProofKind = 'factor' | 'password'

/** An action that was refused until something is proved. */
interface Refused<Result> {
  readonly refusal: unknown
  readonly kind: ProofKind
  /** Runs the same action with the same input. */
  readonly again: () => Promise<Result>
}

/**
 * Asks for the proof, and resolves to what the action then answers. Throws the refusal if the user
 * gives none.
 */
export type Prove = <Result>(refused: Refused<Result>) => Promise<Result>

export const StepUpContext = createContext<Prove | null>(null)

/**
 * Runs an action. If it is refused for a proof that the user can give now, it runs again after the
 * proof, and the focus returns to where it was.
 */
export function useResume(isRunning: boolean) {
  const prove = useContext(StepUpContext)
  const opener = useRef<HTMLElement | null>(null)
  useEffect(() => {
    // Not sooner: a disabled button can't take the focus.
    if (isRunning) return
    opener.current?.focus()
    opener.current = null
  }, [isRunning])
  return async <Result>(again: () => Promise<Result>) => {
    const focused = document.activeElement
    try {
      return await again()
    } catch (refusal) {
      const kind = proofFor(refusal)
      if (!prove || !kind) throw refusal
      opener.current = focused instanceof HTMLElement ? focused : null
      return prove({ refusal, kind, again })
    }
  }
}

/** The proof that would lift a refusal, or null. */
export function proofFor(refusal: unknown): ProofKind | null {
  if (isRefusedWith(refusal, 'StepUpRequiredError')) return 'factor'
  return isRefusedWith(refusal, 'RecentAuthenticationRequiredError') ? 'password' : null
}

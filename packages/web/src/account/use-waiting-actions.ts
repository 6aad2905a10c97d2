import { useMemo, useState } from 'react'
import { type ProofKind, type Prove, proofFor } from './step-up.ts'

interface Waiting {
  readonly kind: ProofKind
  readonly refusal: unknown
  /** Runs the action once more, and answers what tells its caller. */
  readonly attempt: () => Promise<() => void>
  readonly refuse: (refusal: unknown) => void
}

export interface WaitingActions {
  /** What is asked for next, or null while nothing waits. */
  readonly kind: ProofKind | null
  readonly prove: Prove
  /** Runs all actions that have waited for the proof, after it was given. */
  readonly goOn: (kind: ProofKind) => Promise<void>
  readonly cancel: () => void
}

/** The actions that wait until something is proved. */
export function useWaitingActions(): WaitingActions {
  const [kind, setKind] = useState<ProofKind | null>(null)
  const actions = useMemo(() => waitingActions(setKind), [])
  return { kind, ...actions }
}

function waitingActions(tell: (kind: ProofKind | null) => void) {
  let waiting: readonly Waiting[] = []
  const set = (now: readonly Waiting[]) => {
    waiting = now
    tell(now[0]?.kind ?? null)
  }

  const prove: Prove = ({ kind, refusal, again }) =>
    new Promise((resolve, refuse) => {
      const attempt = async () => {
        const result = await again()
        return () => resolve(result)
      }
      set([...waiting, { kind, refusal, attempt, refuse }])
    })

  async function tryAgain(action: Waiting) {
    try {
      const answer = await action.attempt()
      answer()
    } catch (refusal) {
      const kind = proofFor(refusal)
      // The same proof once more would be asked for without end.
      if (!kind || kind === action.kind) action.refuse(refusal)
      else set([...waiting, { ...action, kind, refusal }])
    }
  }

  async function goOn(kind: ProofKind) {
    const ready = waiting.filter((each) => each.kind === kind)
    // The dialog is closed, so that the user can't cancel actions that already run.
    set(waiting.filter((each) => each.kind !== kind))
    for (const action of ready) await tryAgain(action)
  }

  function cancel() {
    const refused = waiting
    set([])
    for (const { refuse, refusal } of refused) refuse(refusal)
  }

  return { prove, goOn, cancel }
}

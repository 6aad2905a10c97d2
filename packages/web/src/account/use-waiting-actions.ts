import { InvalidCredentialsError } from '@svc/auth'
import { useMemo, useState } from 'react'
import { type Confirmed, type ProofKind, type Prove, proofFor } from './step-up.ts'

interface Waiting {
  readonly kind: ProofKind
  readonly refusal: unknown
  /** What has been given before, where two proofs are asked for one after the other. */
  readonly confirmed: Confirmed
  /** Runs the action once more, and answers what tells its caller. */
  readonly attempt: (confirmed: Confirmed) => Promise<() => void>
  readonly refuse: (refusal: unknown) => void
}

export interface WaitingActions {
  /** What is asked for next, or null while nothing waits. */
  readonly kind: ProofKind | null
  readonly prove: Prove
  /** Runs all that have waited for the proof. Throws where it was a wrong password, for which they wait on. */
  readonly goOn: (kind: ProofKind, confirmed: Confirmed) => Promise<void>
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
  let isUnderWay = false
  const set = (now: readonly Waiting[]) => {
    waiting = now
    tell(now[0]?.kind ?? null)
  }
  const leave = (action: Waiting) => set(waiting.filter((each) => each !== action))

  const prove: Prove = ({ kind, refusal, again }) =>
    new Promise((resolve, refuse) => {
      const attempt = async (confirmed: Confirmed) => {
        const result = await again(confirmed)
        return () => resolve(result)
      }
      set([...waiting, { kind, refusal, attempt, refuse, confirmed: {} }])
    })

  async function tryAgain(action: Waiting, given: Confirmed) {
    const confirmed = { ...action.confirmed, ...given }
    try {
      const answer = await action.attempt(confirmed)
      leave(action)
      answer()
    } catch (refusal) {
      if ('currentPassword' in given && refusal instanceof InvalidCredentialsError) throw refusal
      leave(action)
      const kind = proofFor(refusal)
      // The same proof once more would be asked for without end.
      if (!kind || kind === action.kind) action.refuse(refusal)
      else set([...waiting, { ...action, kind, refusal, confirmed }])
    }
  }

  async function goOn(kind: ProofKind, given: Confirmed) {
    const ready = waiting.filter((each) => each.kind === kind)
    // Nothing is asked any more. Whether a password is the right one, only an operation says.
    if (kind === 'factor') set(waiting.filter((each) => each.kind !== kind))
    isUnderWay = true
    try {
      // One after the other: a wrong password is counted once, however many wait for it.
      for (const action of ready) await tryAgain(action, given)
    } finally {
      isUnderWay = false
    }
  }

  function cancel() {
    // What runs by now would be done, though its caller was told that it is not.
    if (isUnderWay) return
    const refused = waiting
    set([])
    for (const { refuse, refusal } of refused) refuse(refusal)
  }

  return { prove, goOn, cancel }
}

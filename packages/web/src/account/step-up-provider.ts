import { authApi } from '@svc/auth'
import { createElement, Fragment, type ReactNode, useMemo, useState } from 'react'
import { type ProofKind, type Prove, proofFor, StepUpContext } from './step-up.ts'
import type { Action } from './use-action.ts'
import {
  type ProofWays,
  type TypedProof,
  useFactorProof,
  useRecentProof,
} from './use-recent-proof.ts'

interface FactorDialogProps {
  /** The second factor must be proved again. */
  readonly kind: 'factor'
  /** Null until it is known. */
  readonly canUsePasskey: boolean | null
  /** Takes `{ code }` or `{ recoveryCode }`. */
  readonly proving: Action<[TypedProof], boolean>
  /** Opens the browser's dialog. */
  readonly provingByPasskey: Action<[], boolean>
  readonly cancel: () => void
}

interface PasswordDialogProps {
  /** The last proof on this device is too old: the user gives the password, a passkey or a code. */
  readonly kind: 'password'
  /** Whether the account has a password, and where a code is sent. Null until it is known. */
  readonly ways: ProofWays | null
  /** Takes the password. */
  readonly confirming: Action<[string], boolean>
  /** Null until it is known. */
  readonly canUsePasskey: boolean | null
  /** Opens the browser's dialog. */
  readonly confirmingByPasskey: Action<[], boolean>
  /** Sends a code, and resolves to where. */
  readonly sending: Action<[], string | null>
  /** Takes the code. */
  readonly confirmingByCode: Action<[string], boolean>
  readonly cancel: () => void
}

/** The props that an app draws its dialog from. They are there while the user is being asked. */
export type StepUpDialog = FactorDialogProps | PasswordDialogProps

type Api = Pick<
  typeof authApi,
  | 'mfaStepUp'
  | 'mfaStepUpOptions'
  | 'getAuthSession'
  | 'proveRecent'
  | 'proveRecentOptions'
  | 'sendVerificationCode'
>

/** The pages that may ask for a proof, and your dialog. */
export interface StepUpProviderProps {
  readonly children: ReactNode
  readonly render: (dialog: StepUpDialog) => ReactNode
  readonly api?: Api
}

/**
 * Actions below it that are refused with `StepUpRequiredError` or
 * `RecentAuthenticationRequiredError` ask for the proof, and then continue. One dialog serves all
 * that wait. If the user cancels it, each of them fails with its refusal.
 */
export function StepUpProvider({
  children,
  render,
  api = authApi,
}: StepUpProviderProps): ReactNode {
  const { kind, prove, ...actions } = useWaitingActions()
  const Dialog = kind === 'password' ? PasswordDialog : FactorDialog
  return createElement(
    Fragment,
    null,
    createElement(StepUpContext, { value: prove }, children),
    kind && createElement(Dialog, { key: kind, render, api, ...actions }),
  )
}

interface DialogProps extends Pick<WaitingActions, 'goOn' | 'cancel'> {
  readonly render: StepUpProviderProps['render']
  readonly api: Api
}

function FactorDialog({ render, api, goOn, cancel }: DialogProps) {
  const factor = useFactorProof({
    options: () => api.mfaStepUpOptions.call({ body: {} }),
    prove: async (body) => {
      await api.mfaStepUp.call({ body })
      await goOn('factor')
    },
  })
  return render({ kind: 'factor', ...factor, cancel })
}

function PasswordDialog({ render, api, goOn, cancel }: DialogProps) {
  const proof = useRecentProof({ onProved: () => goOn('password'), api })
  return render({ kind: 'password', ...proof, cancel })
}

interface Waiting {
  readonly kind: ProofKind
  readonly refusal: unknown
  /** Runs the action again, and returns a function that tells its caller. */
  readonly attempt: () => Promise<() => void>
  readonly refuse: (refusal: unknown) => void
}

interface WaitingActions {
  /** The proof to ask for next, or null if nothing waits. */
  readonly kind: ProofKind | null
  readonly prove: Prove
  /** Runs all actions that have waited for the proof, after it was given. */
  readonly goOn: (kind: ProofKind) => Promise<void>
  readonly cancel: () => void
}

/** The actions that wait until something is proved. */
function useWaitingActions(): WaitingActions {
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
      // Asking for the same proof again would never end.
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

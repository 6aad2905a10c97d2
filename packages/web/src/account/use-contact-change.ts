import { authApi, ContactUndoLinkError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { useEffect, useState } from 'react'
import { useAction } from './use-action.ts'
import type { ProvenEmail } from './use-email-code.ts'
import { useLinkToken } from './use-mailed-links.ts'

interface ChangeOptions {
  onChanged: (email: string) => void
  api?: Pick<typeof authApi, 'changeEmail'>
}

/**
 * Sets another address, which was proved for the purpose `email_change`. A link to undo this is
 * mailed to the old address.
 */
export function useChangeEmail({ onChanged, api = authApi }: ChangeOptions) {
  return useAction(async (body: ProvenEmail & { currentPassword?: string }) => {
    const { email } = await api.changeEmail.call({ body })
    onChanged(email)
  })
}

/** The change that a link from the notice can undo. */
export interface ContactChange {
  readonly kind: 'email' | 'phone'
  /** The address or number that the link restores. */
  readonly restores: string
  readonly expiresAt: Date
}

/**
 * - `unopened`: there is a link, and it is being checked; `opening` tries again. - `opened`:
 * `undoing` undoes the change. - `undone`: every device was signed out. - `over`: there is no valid
 * link.
 */
export type ContactUndoStage = 'unopened' | 'opened' | 'undone' | 'over'

interface UndoOptions {
  /** The address of the page has a `token`. */
  hasToken: boolean
  onUndone?: () => void
  api?: Pick<typeof authApi, 'confirmContactUndoLink' | 'consumeContactUndoLink'>
}

/** The page that the notice to an old address leads to. Opening it changes nothing; `undoing` is for a button. */
export function useContactUndo({ hasToken, onUndone, api = authApi }: UndoOptions) {
  const token = useLinkToken()
  // When the page is rendered again, the token is no longer in its address.
  const [hadToken] = useState(hasToken)
  const [change, setChange] = useState<ContactChange | null>(null)
  const [revokedCount, setRevokedCount] = useState<number | null>(null)
  const opening = useAction(async () => {
    const { expiresAt, ...shown } = await api.confirmContactUndoLink.call({
      body: { token: token() },
    })
    setChange({ ...shown, expiresAt: new Date(expiresAt) })
  })
  const undoing = useAction(async () => {
    const answer = await api.consumeContactUndoLink.call({ body: { token: token() } })
    setRevokedCount(answer.revokedCount)
    onUndone?.()
  })
  const { run: open } = opening
  useEffect(() => {
    if (hadToken) void open()
  }, [hadToken, open])
  const isOver = !hadToken || isRefusal(opening.error) || isRefusal(undoing.error)
  const stage = stageOf({ isOver, isOpened: change !== null, isUndone: revokedCount !== null })
  return { stage, change, revokedCount, opening, undoing }
}

/** A token of the wrong form is refused by its schema. */
function isRefusal(error: unknown) {
  return error instanceof ContactUndoLinkError || error instanceof ValidationError
}

interface Known {
  isOver: boolean
  isOpened: boolean
  isUndone: boolean
}

function stageOf({ isOver, isOpened, isUndone }: Known): ContactUndoStage {
  if (isUndone) return 'undone'
  if (isOver) return 'over'
  return isOpened ? 'opened' : 'unopened'
}

import { UnauthorizedError, ValidationError } from '@svc/core/client'
import { useEffect, useState } from 'react'
import type { OpenedLink } from '../guards/opened-link.ts'
import { returnPath } from '../page/return-path.ts'
import { useAction } from './use-action.ts'
import { useLinkToken } from './use-link-token.ts'

export interface PasswordSetupOptions {
  /** The address of the page has a `token`. */
  hasToken: boolean
  /** What a link has opened in this browser before: `getOpenedLink` of `@svc/web/next`. */
  opened: OpenedLink | null
  /** The link is spent. A router that keeps pages renders this one anew here, so that going back leads to the password. */
  onOpened?: () => void
}

interface Operations {
  open: (token: string) => Promise<OpenedLink>
  /** Sets the password of what the link has opened. */
  complete: (password: string, opened: OpenedLink) => Promise<void>
  /** Whether the link, or what it had opened, is good no more. */
  isOver: (error: unknown) => boolean
}

/**
 * - `unopened`: there is a link. `opening` spends it, which a button is for: mail programs open links before people do.
 * - `opened`: `completing` sets the password.
 * - `over`: there is no link that is good. Another one can be asked for.
 */
export type PasswordSetupStage = 'unopened' | 'opened' | 'over'

/** The page that a mailed link leads to, where a password is set. */
export function usePasswordSetup(
  { hasToken, opened: before, onOpened }: PasswordSetupOptions,
  { open, complete, isOver }: Operations,
) {
  const token = useLinkToken()
  // What the page was rendered with says it for the first time alone: the token is gone then.
  const [hadToken, setHadToken] = useState(hasToken)
  useEffect(() => setHadToken(token() !== ''), [token])
  const [now, setNow] = useState<OpenedLink | null>(null)
  const opening = useAction(async () => {
    const { email, returnPath: path } = await open(token())
    setNow({ email, returnPath: returnPath(path) })
    onOpened?.()
  })
  // Whoever opens a link twice goes on with what it has opened the first time.
  const isSpent = !hadToken || isRefusal(opening.error, isOver)
  const opened = now ?? (isSpent ? before : null)
  const completing = useAction(async (password: string) => {
    if (opened) await complete(password, opened)
  })
  // The proxy itself refuses where the browser does not hold the cookie any more.
  const isEnded = isOver(completing.error) || completing.error instanceof UnauthorizedError
  return { stage: stageOf(opened, { isSpent, isEnded }), opened, opening, completing }
}

/** A token that does not even look like one is refused by its shape. */
function isRefusal(error: unknown, isOver: Operations['isOver']) {
  return isOver(error) || error instanceof ValidationError
}

function stageOf(
  opened: OpenedLink | null,
  { isSpent, isEnded }: { isSpent: boolean; isEnded: boolean },
): PasswordSetupStage {
  if (isEnded) return 'over'
  if (opened) return 'opened'
  return isSpent ? 'over' : 'unopened'
}

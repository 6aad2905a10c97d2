import { AccountPendingDeletionError } from '@svc/auth'
import { TextLink } from '../ui/text-link.tsx'

/** The way on for whose account waits for its deletion. */
export function RestoreInstead({ of: error }: { of: unknown }) {
  if (!(error instanceof AccountPendingDeletionError)) return null
  return (
    <p className="text-sm">
      You can still restore it: <TextLink href="/restore">Restore the account</TextLink>
    </p>
  )
}

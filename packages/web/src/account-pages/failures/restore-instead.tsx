import { AccountPendingDeletionError } from '@svc/auth'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** The way on for whose account waits for its deletion. */
export function RestoreInstead({ of: error }: { of: unknown }) {
  const paths = usePaths()
  const say = useSay()
  if (!(error instanceof AccountPendingDeletionError)) return null
  return (
    <p className="svc-small">
      {say.nodes('You can still restore it: <link>Restore the account</link>', {
        link: (text) => <TextLink href={paths.restore}>{text}</TextLink>,
      })}
    </p>
  )
}

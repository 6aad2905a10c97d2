import { requireSession } from '../../guards/guards.ts'
import { accountPaths } from '../provider/account-paths.ts'
import { LinkedAccountsView } from '../social/linked-accounts.tsx'
import { type AccountPageProps, type EntranceProps, guarded } from './page-props.ts'
import { webProviders } from './server-account.ts'

/** Linking an account leads back here, with its provider as `linked`. */
export async function LinkedAccountsPage(
  given: AccountPageProps & Pick<EntranceProps<'linked'>, 'searchParams'>,
) {
  const { guard, slots } = guarded(given, accountPaths.linkedAccounts)
  await requireSession(guard)
  const [{ linked = '' }, providers] = await Promise.all([given.searchParams, webProviders()])
  return (
    <LinkedAccountsView
      {...slots}
      providers={providers}
      linked={String(linked)}
      renderedAt={Date.now()}
    />
  )
}

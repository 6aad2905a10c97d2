import { requireSession } from '../../guards/guards.ts'
import { accountPaths } from '../provider/account-paths.ts'
import { PasskeysView } from '../views/passkeys-view.tsx'
import { type AccountPageProps, guarded } from './page-props.ts'

/** The passkeys of the user. */
export async function PasskeysPage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.passkeys)
  await requireSession(guard)
  return <PasskeysView {...slots} renderedAt={Date.now()} />
}

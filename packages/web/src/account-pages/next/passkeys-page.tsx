import { requireSession } from '../../guards/guards.ts'
import { PasskeysView } from '../passkeys/passkeys.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'

/** The passkeys of the user. */
export async function PasskeysPage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.passkeys)
  await requireSession(guard)
  return <PasskeysView {...slots} renderedAt={Date.now()} />
}

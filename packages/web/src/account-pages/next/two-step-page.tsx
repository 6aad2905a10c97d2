import { requireSession } from '../../guards/guards.ts'
import { accountPaths } from '../provider/account-paths.ts'
import { TwoStepView } from '../second-factor/two-step.tsx'
import { type AccountPageProps, guarded } from './page-props.ts'
import { accountName } from './server-account.ts'

/** The second step of the user. */
export async function TwoStepPage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.twoStep)
  return <TwoStepView {...slots} account={accountName(await requireSession(guard))} />
}

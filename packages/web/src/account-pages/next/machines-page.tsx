import { requireSession } from '../../guards/guards.ts'
import { MachinesView } from '../machines/register-machine.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'

/** Registers the key of a program. */
export async function MachinesPage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.machines)
  const { permissions } = await requireSession(guard)
  return <MachinesView {...slots} permissions={permissions} />
}

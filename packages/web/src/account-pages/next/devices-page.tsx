import { requireSession } from '../../guards/guards.ts'
import { DeviceList, DevicesView } from '../account/device-list.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'
import { knownKeys } from './server-account.ts'

/** The devices where the user is signed in, and how to sign each out. */
export async function DevicesPage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.devices)
  const { keyId } = await requireSession(guard)
  return (
    <DevicesView {...slots}>
      <Listed keyId={keyId} />
    </DevicesView>
  )
}

/** The devices as they are now. After that, the browser loads them. */
async function Listed({ keyId }: { keyId: string }) {
  const { keys, approvals = [] } = await knownKeys()
  return (
    <DeviceList keyId={keyId} initial={keys} initialApprovals={approvals} renderedAt={Date.now()} />
  )
}

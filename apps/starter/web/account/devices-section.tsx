import { serverAuthApi } from '../server-api.ts'
import { DeviceList } from './device-list.tsx'

/** The devices as they are now; from then on the browser asks. */
export async function DevicesSection({ keyId }: { keyId: string }) {
  const { keys, approvals = [] } = await serverAuthApi().listKeys.call({ body: {} })
  return (
    <DeviceList keyId={keyId} initial={keys} initialApprovals={approvals} renderedAt={Date.now()} />
  )
}

import type { WaitingDevice } from '../../account/use-device-approval.ts'
import { deviceName } from '../account/device-words.ts'
import { useSay } from '../provider/account-provider.tsx'

/** A name that a stranger may have chosen: it stays on its lines, and turns nothing beside it around. */
export function DeviceName({ device }: { device: WaitingDevice }) {
  const say = useSay()
  return (
    <bdi className="svc-clamp svc-break" title={deviceName(say, device)}>
      {deviceName(say, device)}
    </bdi>
  )
}

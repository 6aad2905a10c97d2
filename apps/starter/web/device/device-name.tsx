import type { WaitingDevice } from '@svc/web/react'
import { deviceName } from '../account/device-words.ts'

/** A name that a stranger may have chosen: it stays on its lines, and turns nothing beside it around. */
export function DeviceName({ device }: { device: WaitingDevice }) {
  return (
    <bdi className="line-clamp-3 [overflow-wrap:anywhere]" title={deviceName(device)}>
      {deviceName(device)}
    </bdi>
  )
}

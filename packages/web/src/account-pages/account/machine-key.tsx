import type { Device } from '../../account/use-devices.ts'
import { useSay } from '../provider/account-provider.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { machineExpiryWords } from './device-words.ts'

/** What a program may do that signs with a key of its own, and for how long. */
export function MachineKey({ device, now }: { device: Device; now: number }) {
  const say = useSay()
  const { permissions = [], createdAtMillis, expiresAtMillis } = device
  return (
    <>
      <p className="svc-note svc-above-half">
        {say.nodes('Added {since}. {expiry}', {
          since: <RelativeTime at={new Date(createdAtMillis).toISOString()} now={now} />,
          expiry: machineExpiryWords(say, expiresAtMillis, now),
        })}
      </p>
      <p className="svc-note svc-above-half svc-break">
        {permissions.length > 0
          ? say('Permissions: {names}.', { names: permissions.join(', ') })
          : say('It has no permissions.')}
      </p>
    </>
  )
}

import type { ReactNode } from 'react'
import type { WaitingDevice } from '../../account/use-device-approval.ts'
import { DeviceIcon } from '../account/device-icon.tsx'
import { deviceKind } from '../account/device-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { useNow } from '../ui/use-now.ts'
import { DeviceName } from './device-name.tsx'
import { platformWords } from './platform-words.ts'
import { TimeLeft } from './time-left.tsx'

/** What a person recognises a waiting device by. Its name is its own word for itself. */
export function WaitingFacts({ device }: { device: WaitingDevice }) {
  const say = useSay()
  const now = useNow(Date.now())
  const { platform, fingerprintPrefix, requestedAtMillis, expiresAtMillis } = device
  return (
    <div className="svc-device">
      <DeviceIcon kind={deviceKind(device)} />
      <div className="svc-entry-text">
        <h3 className="svc-strong">
          <DeviceName device={device} />
        </h3>
        <dl className="svc-facts svc-small svc-above-2">
          <Fact name={say('Kind')}>{platformWords(say, platform)}</Fact>
          <Fact name={say('Key')}>
            <code>{fingerprintPrefix}</code>
          </Fact>
          <Fact name={say('Asked')}>
            <RelativeTime at={new Date(requestedAtMillis).toISOString()} now={now} />
          </Fact>
          <Fact name={say('Expires in')}>
            <TimeLeft until={expiresAtMillis} />
          </Fact>
        </dl>
      </div>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="svc-faded">{name}</dt>
      <dd className="svc-break">{children}</dd>
    </>
  )
}

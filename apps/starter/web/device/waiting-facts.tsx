import type { WaitingDevice } from '@svc/web/react'
import type { ReactNode } from 'react'
import { DeviceIcon } from '../account/device-icon.tsx'
import { deviceKind } from '../account/device-words.ts'
import { RelativeTime } from '../board/relative-time.tsx'
import { useNow } from '../board/use-now.ts'
import { DeviceName } from './device-name.tsx'
import { platformWords } from './platform-words.ts'
import { TimeLeft } from './time-left.tsx'

/** What a person recognises a waiting device by. Its name is its own word for itself. */
export function WaitingFacts({ device }: { device: WaitingDevice }) {
  const now = useNow(Date.now())
  const { platform, fingerprintPrefix, requestedAtMillis, expiresAtMillis } = device
  return (
    <div className="flex items-start gap-4">
      <DeviceIcon kind={deviceKind(device)} />
      <div className="min-w-0 flex-1">
        <h3 className="font-medium">
          <DeviceName device={device} />
        </h3>
        <dl className="mt-2 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm">
          <Fact name="Kind">{platformWords(platform)}</Fact>
          <Fact name="Key">
            <code>{fingerprintPrefix}</code>
          </Fact>
          <Fact name="Asked">
            <RelativeTime at={new Date(requestedAtMillis).toISOString()} now={now} />
          </Fact>
          <Fact name="Expires in">
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
      <dt className="text-faded">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

import type { WaitingDevice } from '@svc/web/react'
import { QuietButton } from '../ui/quiet-button.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { DeviceName } from './device-name.tsx'

interface Props {
  device: WaitingDevice
  decision: 'approved' | 'denied'
  onStartOver: () => void
}

/** What was decided, and the way on. */
export function Decided({ device, decision, onStartOver }: Props) {
  return (
    <div className="grid gap-4">
      <div role="status">
        <h2 tabIndex={-1} className="font-medium text-lg outline-none">
          {decision === 'approved' ? 'Approved' : 'Denied'}
        </h2>
        <p className="mt-2 text-sm">
          <DeviceName device={device} />
        </p>
        <p className="mt-2 text-sm leading-relaxed">{words[decision]}</p>
      </div>
      {decision === 'approved' && (
        <p className="text-sm">
          <TextLink href="/account/devices">See your devices</TextLink>
        </p>
      )}
      <p className="text-sm">
        <QuietButton onClick={onStartOver}>Link another device</QuietButton>
      </p>
    </div>
  )
}

const words = {
  approved: 'The device signs in as you in a moment. You have nothing else to do.',
  denied: 'The request was denied. The device is not signed in.',
}

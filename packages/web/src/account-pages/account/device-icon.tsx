import { Icon } from '../ui/icon.tsx'
import { type Browser, browserOf, type DeviceKind, deviceKind, type Named } from './device-words.ts'

const paths: Record<DeviceKind, string> = {
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm3 15h2',
  tablet: 'M6 3h12a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm5 15h2',
  computer:
    'M5 5h14a1 1 0 0 1 1 1v9H4V6a1 1 0 0 1 1-1ZM2 15h20l-1 3a1 1 0 0 1-1 .7H4a1 1 0 0 1-1-.7Z',
  machine:
    'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Zm3 4 3 3-3 3m5 0h4',
  support: 'M4 15v-3a8 8 0 0 1 16 0v3m-16-1h3v5H4Zm16 0h-3v5h3Zm0 5c0 2-2 2.5-5 2.5',
  unknown: 'M15 4a5 5 0 1 1-4.6 7L3 18v3h4v-3h3v-3l1.5-1.4M16 8h.01',
}

// Our own drawings: a ring with three arms, a tail, a needle, a wave.
const browsers: Record<Browser, string> = {
  Chrome: 'M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Zm0 0h8M9.4 13.5 5.5 6.6m9.1 6.9-4 7.3',
  Firefox: 'M5 8c2-1 4 0 5 2 3-2 6 0 6 3a4 4 0 0 1-8 0',
  Safari: 'm15.5 8.5-2 5-5 2 2-5Z',
  Edge: 'M4.5 14c1-5 9-6 11-2 1 2-1 3-3 3h7',
}

/** A picture of the kind of device, and of its browser. It is only for the eye: the name says it in words. */
export function DeviceIcon({ device }: { device: Named }) {
  const browser = browserOf(device)
  return (
    <span className="svc-tile svc-tile-large">
      <Icon path={paths[deviceKind(device)]} look="svc-icon-large" />
      {browser && (
        <Icon path={`M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Z${browsers[browser]}`} look="svc-mark" />
      )}
    </span>
  )
}

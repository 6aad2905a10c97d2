import type { DeviceKind } from './device-words.ts'

const paths: Record<DeviceKind, string> = {
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm3 15h2',
  tablet: 'M6 3h12a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm5 15h2',
  computer:
    'M5 5h14a1 1 0 0 1 1 1v9H4V6a1 1 0 0 1 1-1ZM2 15h20l-1 3a1 1 0 0 1-1 .7H4a1 1 0 0 1-1-.7Z',
  unknown: 'M15 4a5 5 0 1 1-4.6 7L3 18v3h4v-3h3v-3l1.5-1.4M16 8h.01',
}

/** A picture of the kind of device. It is only for the eye: the name says it in words. */
export function DeviceIcon({ kind }: { kind: DeviceKind }) {
  return (
    <span className="svc-tile svc-tile-large">
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="svc-icon svc-icon-large"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={paths[kind]} />
      </svg>
    </span>
  )
}

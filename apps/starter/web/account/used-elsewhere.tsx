import { ExactTime } from '../ui/exact-time.tsx'

/** One key at two addresses within minutes: a change of networks, or a copy. */
export function UsedElsewhere({ at }: { at: number }) {
  return (
    <div className="mt-3 flex gap-3 rounded-lg border border-danger p-3 text-sm">
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="mt-0.5 size-5 shrink-0 fill-none stroke-danger"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M12 4 2.5 20h19ZM12 10v4.5M12 17.3v.01" />
      </svg>
      <div>
        <p className="font-medium">Also used from another place</p>
        <p className="mt-1 text-faded">
          Two network addresses used its key within a few minutes, on <ExactTime at={at} />. This is
          normal when a device changes from Wi-Fi to mobile data. If this one did not, sign it out
          and change your password.
        </p>
      </div>
    </div>
  )
}

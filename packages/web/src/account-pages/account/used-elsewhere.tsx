import { useSay } from '../provider/account-provider.tsx'
import { ExactTime } from '../ui/exact-time.tsx'

/** One key at two addresses within minutes: a change of networks, or a copy. */
export function UsedElsewhere({ at }: { at: number }) {
  const say = useSay()
  return (
    <div className="svc-warning">
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="svc-icon svc-icon-warning"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M12 4 2.5 20h19ZM12 10v4.5M12 17.3v.01" />
      </svg>
      <div>
        <p className="svc-strong">{say('Also used from another place')}</p>
        <p className="svc-faded svc-above-1">
          {say.nodes(
            'Two network addresses used its key within a few minutes, on {time}. This is normal when a device changes from Wi-Fi to mobile data. If this one did not, sign it out and change your password.',
            { time: <ExactTime at={at} /> },
          )}
        </p>
      </div>
    </div>
  )
}

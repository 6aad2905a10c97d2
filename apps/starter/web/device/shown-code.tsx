import type { LinkCode } from '@svc/web/react'
import { TimeLeft } from './time-left.tsx'

/** The code, where it is to be typed in, and what the approver compares. */
export function ShownCode({ code }: { code: LinkCode }) {
  return (
    <div className="grid gap-5">
      <p className="text-sm leading-relaxed">
        On a device where you are signed in, open{' '}
        {/* The code is there in a browser alone, and so is the address. */}
        <strong className="font-medium [overflow-wrap:anywhere]">{location.host}/device</strong> and
        enter:
      </p>
      <p
        tabIndex={-1}
        className="rounded-lg border border-line bg-paper py-4 text-center font-mono text-3xl tracking-widest outline-none"
      >
        {code.userCode}
      </p>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm">
        <dt className="text-faded">Expires in</dt>
        <dd>
          <TimeLeft until={code.expiresAtMillis} />
        </dd>
        <dt className="text-faded">This browser’s key</dt>
        <dd>
          <code>{code.fingerprintPrefix}</code>
        </dd>
      </dl>
      <p role="status" className="text-faded text-sm leading-relaxed">
        Waiting for your approval. Check that the other device shows the same key.
      </p>
    </div>
  )
}

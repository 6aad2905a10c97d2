import type { LinkCode } from '../../account/use-device-link.ts'
import { useSay } from '../provider/account-provider.tsx'
import { TimeLeft } from './time-left.tsx'

/** The code, where it is to be typed in, and what the approver compares. */
export function ShownCode({ code }: { code: LinkCode }) {
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-5">
      <p className="svc-paragraph">
        {say.nodes(
          'On a device where you are signed in, open <strong>{host}/device</strong> and enter:',
          {
            host: location.host,
            strong: (text) => <strong className="svc-strong svc-break">{text}</strong>,
          },
        )}
      </p>
      <p tabIndex={-1} className="svc-code">
        {code.userCode}
      </p>
      <dl className="svc-facts svc-small">
        <dt className="svc-faded">{say('Expires in')}</dt>
        <dd>
          <TimeLeft until={code.expiresAtMillis} />
        </dd>
        <dt className="svc-faded">{say('This browser’s key')}</dt>
        <dd>
          <code>{code.fingerprintPrefix}</code>
        </dd>
      </dl>
      <p role="status" className="svc-note svc-paragraph">
        {say('Waiting for your approval. Check that the other device shows the same key.')}
      </p>
    </div>
  )
}

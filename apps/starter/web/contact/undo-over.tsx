import { TextLink } from '../ui/text-link.tsx'

/** Says the same of a link that was used, has expired, or never was. */
export function UndoOver() {
  return (
    <div className="grid gap-3 text-sm leading-relaxed">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        This link does not work
      </h2>
      <p>
        It was used, has expired, or is incomplete. If the account is still yours, set{' '}
        <TextLink href="/password/forgot">a new password</TextLink>. That signs out every other
        device.
      </p>
    </div>
  )
}

import { TextLink } from '../ui/text-link.tsx'

/** Says the same of a link that was used, has expired, or never was. */
export function UndoOver() {
  return (
    <div className="grid gap-3 text-sm leading-relaxed">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        This link does not work
      </h2>
      <p>
        It was used, has expired, or is not complete. If you still own the account, set{' '}
        <TextLink href="/password/forgot">a new password</TextLink>: that signs every other device
        out.
      </p>
    </div>
  )
}

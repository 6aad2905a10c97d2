import { TextLink } from '../ui/text-link.tsx'

export function RestoreNotes({ isRestored }: { isRestored: boolean }) {
  return (
    <>
      {!isRestored && (
        <>
          <p>
            We keep a deleted account for 30 days. Until then, you can restore it here, exactly as
            it was.
          </p>
          <p>
            Account not deleted? <TextLink href="/login">Sign in</TextLink>
          </p>
        </>
      )}
      <p>
        If you did not delete it yourself, someone else used your account:{' '}
        {!isRestored && 'restore it, then '}set{' '}
        <TextLink href="/password/forgot">a new password</TextLink>.
      </p>
    </>
  )
}

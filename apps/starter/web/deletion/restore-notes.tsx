import { TextLink } from '../ui/text-link.tsx'

export function RestoreNotes({ isRestored }: { isRestored: boolean }) {
  return (
    <>
      {!isRestored && (
        <>
          <p>
            An account that was deleted is kept for 30 days. Until then you get it back as it was,
            here.
          </p>
          <p>
            Yours was never deleted? <TextLink href="/login">Sign in</TextLink>
          </p>
        </>
      )}
      <p>
        If you did not delete it yourself, somebody else was in your account:{' '}
        {!isRestored && 'restore it, then '}set{' '}
        <TextLink href="/password/forgot">a new password</TextLink>.
      </p>
    </>
  )
}

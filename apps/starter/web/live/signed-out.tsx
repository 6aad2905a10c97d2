import Link from 'next/link'

/** It is always there, so that a screen reader tells what comes into it. */
export function SignedOut({ isOut }: { isOut: boolean }) {
  return (
    <div role="alert">
      {isOut && (
        <div className="rounded-xl border border-danger bg-sheet p-5">
          <p className="font-medium text-danger">This device was signed out</p>
          <p className="mt-1 text-sm">
            Its key was revoked, so its streams ended and nothing more arrives.{' '}
            <Link
              href="/login?returnTo=%2Flive"
              className="text-accent underline underline-offset-4"
            >
              Sign in again
            </Link>{' '}
            to go on.
          </p>
        </div>
      )}
    </div>
  )
}

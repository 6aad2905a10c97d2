import { TextLink } from '../ui/text-link.tsx'

/** It is always there, so that a screen reader tells what comes into it. */
export function SignedOut({ isOut }: { isOut: boolean }) {
  return (
    <div role="alert">
      {isOut && (
        <div className="rounded-xl border border-danger bg-sheet p-5">
          <p className="font-medium text-danger">This device was signed out</p>
          <p className="mt-1 text-sm">
            The device’s key was revoked, so its streams ended.{' '}
            <TextLink href="/login?returnTo=%2Flive">Sign in again</TextLink> to continue.
          </p>
        </div>
      )}
    </div>
  )
}

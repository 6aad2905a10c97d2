import { getSession } from '@svc/web/next'
import Link from 'next/link'
import { SignOutButton } from '../sign-in/sign-out-button.tsx'

const link = 'py-1 text-faded underline-offset-4 hover:text-ink hover:underline'

export async function SiteHeader() {
  // The frame around a page is there while the API is away.
  const session = await getSession().catch(() => null)
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-4 text-sm">
      <Link href="/" className="flex items-center gap-2.5 font-semibold tracking-tight">
        <Mark />
        Svc starter
      </Link>
      <nav aria-label="Main" className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <Link href="/" className={link}>
          Board
        </Link>
        {session ? (
          <>
            <Link href="/live" className={link}>
              Live
            </Link>
            <Link href="/account" className={link}>
              Account
            </Link>
            {session.role.name === 'superadmin' && (
              <Link href="/admin/roles" className={link}>
                Roles
              </Link>
            )}
            <SignOutButton />
          </>
        ) : (
          <>
            <Link href="/register" className={link}>
              Create an account
            </Link>
            <Link href="/login" className={link}>
              Sign in
            </Link>
          </>
        )}
      </nav>
    </header>
  )
}

function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 11h14M9 16h14M9 21h8"
        className="stroke-on-accent"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </svg>
  )
}

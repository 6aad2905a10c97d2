import { SignOutButton } from '@svc/web/account'
import Link from 'next/link'
import { isSuperadmin, may, seeUsers } from '../permissions.ts'
import { knownSession } from '../server-api.ts'
import { NavLink } from './nav-link.tsx'
import { WhileSignedIn } from './while-signed-in.tsx'

export async function SiteHeader() {
  const session = await knownSession()
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-4 text-sm">
      <Link href="/" className="flex items-center gap-2.5 font-semibold tracking-tight">
        <Mark />
        Svc starter
      </Link>
      <nav aria-label="Main" className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <NavLink href="/">Board</NavLink>
        {session ? (
          <WhileSignedIn otherwise={<SignedOutLinks hasEnded />}>
            <NavLink href="/live">Live</NavLink>
            <NavLink href="/account">Account</NavLink>
            {may(session, seeUsers) && <NavLink href="/admin/invitations">Invitations</NavLink>}
            {isSuperadmin(session) && <NavLink href="/admin/roles">Roles</NavLink>}
            <SignOutButton />
          </WhileSignedIn>
        ) : (
          <SignedOutLinks />
        )}
      </nav>
    </header>
  )
}

function SignedOutLinks({ hasEnded = false }: { hasEnded?: boolean }) {
  return (
    <>
      {hasEnded && <span role="status">You were signed out on this device.</span>}
      <NavLink href="/register">Create an account</NavLink>
      <NavLink href="/login">Sign in</NavLink>
    </>
  )
}

function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6 shrink-0">
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

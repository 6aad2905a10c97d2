import type { AuthSession } from '@svc/auth'
import { OrganizationSwitcher } from '@svc/organizations/web/next'
import { UserMenu } from '@svc/web/account'
import { getSession } from '@svc/web/next'
import Link from 'next/link'
import { seesConsole } from '../permissions.ts'
import { organizationWords } from '../words/page-words.ts'
import type { Words } from '../words/words.ts'
import { NavLink } from './nav-link.tsx'
import { WhileSignedIn } from './while-signed-in.tsx'

interface Props {
  words: Words['site']
}

export async function SiteHeader({ words }: Props) {
  // While the API is away, this is not known: then neither way is offered.
  const session = await getSession().catch(() => 'unknown' as const)
  return (
    <header className="flex min-h-17 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-3 text-sm">
      <Link href="/" className="flex items-center gap-2.5 font-semibold tracking-tight">
        <Mark />
        Svc starter
      </Link>
      <nav
        aria-label={words.main}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:gap-x-5"
      >
        <NavLink href="/">{words.board}</NavLink>
        {session !== 'unknown' && <Ways {...{ session, words }} />}
      </nav>
    </header>
  )
}

async function Ways({ session, words }: Props & { session: AuthSession | null }) {
  if (!session) return <SignedOutLinks words={words} />
  const organizations = await organizationWords()
  const links = [
    { href: '/account', label: words.account },
    { href: '/account/devices', label: words.devices },
    { href: '/account/security', label: words.security },
    ...(seesConsole(session) ? [{ href: '/admin', label: words.administration }] : []),
  ]
  return (
    <WhileSignedIn otherwise={<SignedOutLinks words={words} hasEnded />}>
      <NavLink href="/live">{words.live}</NavLink>
      <OrganizationSwitcher home="board" words={organizations} />
      <UserMenu
        name={session.email ?? session.phone ?? session.publicId}
        about={session.role.displayName}
        links={links}
      />
    </WhileSignedIn>
  )
}

function SignedOutLinks({ words, hasEnded = false }: Props & { hasEnded?: boolean }) {
  return (
    <>
      {hasEnded && <span role="status">{words.signedOutHere}</span>}
      <NavLink href="/register">{words.register}</NavLink>
      <NavLink href="/login">{words.signIn}</NavLink>
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

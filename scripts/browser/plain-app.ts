import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where `@svc/web/account/next` is mounted, as in the guide. */
const pages = {
  login: 'SignInPage',
  register: 'RegisterPage',
  signup: 'SignUpPage',
  'signup/confirm': 'CompleteSignUpPage',
  'password/forgot': 'ForgotPasswordPage',
  'password/reset': 'ResetPasswordPage',
  'auth/mfa': 'SecondStepPage',
  'auth/callback': 'SocialCallbackPage',
  'auth/error': 'SocialErrorPage',
  'auth/renew': 'RenewSessionPage',
  link: 'LinkDevicePage',
  device: 'ApproveDevicePage',
  invitation: 'AcceptInvitationPage',
  restore: 'RestoreAccountPage',
  'oauth2/consent': 'ConsentPage',
  'oauth2/logout': 'LogoutPage',
  // Beside the layout of a signed-in user, not in it.
  '(public)/account/undo': 'UndoChangePage',
  '(public)/account/keep-factor': 'KeepFactorPage',
  account: 'ProfilePage',
  'account/email': 'ChangeEmailPage',
  'account/devices': 'DevicesPage',
  'account/machines': 'MachinesPage',
  'account/agents': 'AgentsPage',
  'account/approvals': 'ApprovalsPage',
  'account/security': 'SecurityPage',
  'account/security/passkeys': 'PasskeysPage',
  'account/security/two-step': 'TwoStepPage',
  'account/security/linked': 'LinkedAccountsPage',
  'account/security/support-code': 'SupportCodePage',
  'account/close': 'DeleteAccountPage',
  'admin/invitations': 'InvitationsPage',
}

const proofs = `import { StepUp } from '@svc/web/account'
import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return <StepUp>{children}</StepUp>
}
`

const layouts = {
  '': `import { AccountProvider, ArrivalNotice, SignOutButton } from '@svc/web/account'
import '@svc/web/account.css'
import { getSession } from '@svc/web/next'
import type { ReactNode } from 'react'

export default async function Layout({ children }: { children: ReactNode }) {
  const session = await getSession().catch(() => null)
  return (
    <html lang="en">
      <body>
        <AccountProvider>
          <header>
            <a href="/">Home</a>{' '}
            {session?.permissions.includes('user:read') && (
              <a href="/admin/invitations">Invitations</a>
            )}
            {session ? (
              <SignOutButton />
            ) : (
              <>
                <a href="/login">Sign in</a> <a href="/register">Create an account</a>
              </>
            )}
          </header>
          <ArrivalNotice />
          {children}
        </AccountProvider>
      </body>
    </html>
  )
}
`,
  account: `export { AccountLayout as default } from '@svc/web/account/next'\n`,
  device: proofs,
  'admin/invitations': proofs,
}

/** Two pages of the application's own: an open one, and one for users who are signed in. */
const own = {
  'page.tsx': `export default function Page() {
  return <h1>Home</h1>
}
`,
  'live/page.tsx': `import { requireSession } from '@svc/web/next'

export default async function Page() {
  await requireSession({ returnTo: '/live' })
  return <h1>Live</h1>
}
`,
  'no-scripts/consent/route.ts': `import { createOAuth2ConsentPage } from '@svc/web/next'

export const { GET, POST } = createOAuth2ConsentPage()
`,
}

const config = `import { authRewrites, publicVariables } from '@svc/web/next'
import type { NextConfig } from 'next'

export default (phase: string): NextConfig => ({
  env: publicVariables(phase),
  rewrites: async () => authRewrites(),
  headers: async () => [
    {
      source: '/(signup/confirm|password/reset|invitation|account/undo|account/keep-factor|oauth2/consent|oauth2/logout)',
      headers: [
        { key: 'referrer-policy', value: 'no-referrer' },
        { key: 'cache-control', value: 'no-store' },
      ],
    },
  ],
  // TypeScript 7 has a command but no API.
  experimental: { useTypeScriptCli: true },
})
`

/** The files that it shares with the starter: how it reaches the API. */
const shared = ['app/api', 'app/account/revoke-all', 'env.ts', 'package.json', 'tsconfig.json']

/**
 * Writes an application with the account pages by default: without slots, words, colours and a
 * content policy.
 */
export function writePlainApp(starter: string, folder: string) {
  for (const path of shared) cpSync(join(starter, path), join(folder, path), { recursive: true })
  const files = [
    ['next.config.ts', config] as const,
    ...Object.entries(pages).map(
      ([path, page]) => [`app/${path}/page.tsx`, mounting(page)] as const,
    ),
    ...Object.entries(layouts).map(
      ([path, text]) => [join('app', path, 'layout.tsx'), text] as const,
    ),
    ...Object.entries(own).map(([path, text]) => [join('app', path), text] as const),
  ]
  for (const [path, text] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

const mounting = (page: string) => `export { ${page} as default } from '@svc/web/account/next'\n`

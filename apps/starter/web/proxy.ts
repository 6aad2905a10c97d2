import { type NextRequest, NextResponse } from 'next/server'
import { isDevelopment, publicApiUrl } from './env.ts'

/** Only the scripts of this page run: Next reads the nonce from the policy of the request. */
export function proxy(request: NextRequest) {
  const policy = contentSecurityPolicy(crypto.randomUUID())
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = {
  matcher: [
    {
      // The page that signs out everywhere has a policy of its own. An unknown address below the
      // others is a page too.
      source: '/((?!api/rpc/|_auth/|_next/static/|icon\\.svg$|account/revoke-all$).*)',
      // Only Next sends this header. A browser's own prefetch may be shown later, so it needs the
      // policy.
      missing: [{ type: 'header', key: 'next-router-prefetch' }],
    },
  ],
}

const { protocol, hostname, port } = new URL(publicApiUrl)

/**
 * A policy can't name an IPv6 address: browsers ignore it. So allow any host, at the API's port.
 */
const apiHost = hostname.startsWith('[') ? '*' : hostname

const apiSource = `${protocol}//${apiHost}${port && `:${port}`}`

function contentSecurityPolicy(nonce: string) {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? ` 'unsafe-eval'` : ''}`,
    `style-src 'self' ${isDevelopment ? `'unsafe-inline'` : `'nonce-${nonce}'`}`,
    // Streams go to the API itself: a one-time token opens them.
    `connect-src 'self' ${apiSource} ${apiSource.replace(/^http/, 'ws')}`,
    `img-src 'self' data:`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

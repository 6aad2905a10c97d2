import { authRewrites, publicVariables } from '@svc/web/next'
import type { NextConfig } from 'next'

process.env.NEXT_TELEMETRY_DISABLED ??= '1'

/** The content security policy has a nonce, so it is made for each request: see proxy.ts. */
const headers = [
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'x-frame-options', value: 'DENY' },
  { key: 'referrer-policy', value: 'strict-origin-when-cross-origin' },
  { key: 'cross-origin-opener-policy', value: 'same-origin' },
  { key: 'permissions-policy', value: 'camera=(), geolocation=(), microphone=()' },
]

/**
 * Pages with a secret in their address: the token of a mailed link until their script removes it,
 * or the request of an agent.
 */
const linkHeaders = [
  { key: 'referrer-policy', value: 'no-referrer' },
  { key: 'cache-control', value: 'no-store' },
]

export default (phase: string): NextConfig => ({
  // Where browsers find the API, for every page.
  env: publicVariables(phase),
  poweredByHeader: false,
  // Headers set here win over those of a route. One page and the API set stricter ones themselves.
  headers: async () => [
    { source: '/((?!_auth/|account/revoke-all$).*)', headers },
    {
      source:
        '/(signup/confirm|password/reset|invitation|invitation/organization|account/undo|account/keep-factor|oauth2/consent|oauth2/logout)',
      headers: linkHeaders,
    },
  ],
  // `next dev` would print these addresses, with the token or the agent's request in them.
  logging: {
    incomingRequests: {
      ignore: [
        /^\/(account\/revoke-all|account\/undo|account\/keep-factor|signup\/confirm|password\/reset|invitation|oauth2)\b/,
      ],
    },
  },
  // Providers and mailed links lead back to this host, and the API answers there: see app/api/auth.
  rewrites: async () => authRewrites(),
  // Nothing uses it, and any visitor could make it fetch addresses of this host.
  images: { unoptimized: true },
  // TypeScript 7 has a command but no API, and Next uses the API by default.
  experimental: {
    useTypeScriptCli: true,
    // With it, `next dev` renders a new page with an old route map.
    turbopackServerFastRefresh: false,
  },
})

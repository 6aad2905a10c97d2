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

/** Pages whose address has the token of a mailed link in it, until their script has taken it out, or what an agent asks with. */
const linkHeaders = [
  { key: 'referrer-policy', value: 'no-referrer' },
  { key: 'cache-control', value: 'no-store' },
]

export default (phase: string): NextConfig => ({
  // Where browsers find the API, for every page.
  env: publicVariables(phase),
  poweredByHeader: false,
  // Headers set here win over those of a route, and one page and the API have stricter headers of their own.
  headers: async () => [
    { source: '/((?!_auth/|account/revoke-all$).*)', headers },
    {
      source:
        '/(signup/confirm|password/reset|invitation|account/undo|account/keep-factor|oauth2/consent)',
      headers: linkHeaders,
    },
  ],
  // Their addresses have a token in them, or what an agent asks with, which `next dev` would print.
  logging: {
    incomingRequests: {
      ignore: [
        /^\/(account\/revoke-all|account\/undo|account\/keep-factor|signup\/confirm|password\/reset|invitation|oauth2)\b/,
      ],
    },
  },
  // Providers and mailed links lead back to this host, and the API answers: see app/api/auth.
  rewrites: async () => authRewrites(),
  // Nothing uses it, and it would fetch addresses of this host for whoever asks.
  images: { unoptimized: true },
  // TypeScript 7 has a command and no API; Next looks for the API unless told.
  experimental: {
    useTypeScriptCli: true,
    // With it, `next dev` renders a new page with the route map of before the last change.
    turbopackServerFastRefresh: false,
  },
})

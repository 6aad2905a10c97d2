import { authRewrites } from '@svc/web/next'
import type { NextConfig } from 'next'
import { apiUrl } from './env.ts'

process.env.NEXT_TELEMETRY_DISABLED ??= '1'

/** The content security policy has a nonce, so it is made for each request: see proxy.ts. */
const headers = [
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'x-frame-options', value: 'DENY' },
  { key: 'referrer-policy', value: 'strict-origin-when-cross-origin' },
  { key: 'cross-origin-opener-policy', value: 'same-origin' },
  { key: 'permissions-policy', value: 'camera=(), geolocation=(), microphone=()' },
]

export default {
  poweredByHeader: false,
  // What Next is told here wins over what a route answers, and the page that signs out everywhere is stricter.
  headers: async () => [{ source: '/((?!account/revoke-all$).*)', headers }],
  // Its address has a token in it, which `next dev` would print.
  logging: { incomingRequests: { ignore: [/^\/account\/revoke-all\b/] } },
  // Where providers and mailed links lead back to is on this host, and the API answers. A build has the address in it.
  rewrites: async () => authRewrites(apiUrl),
  // Nothing uses it, and it would fetch addresses of this host for whoever asks.
  images: { unoptimized: true },
  // TypeScript 7 has a command and no API; Next looks for the API unless told.
  experimental: { useTypeScriptCli: true },
} satisfies NextConfig

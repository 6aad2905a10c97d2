/**
 * What of the web host is the API's, because providers, mailed links, browsers and agents look for it here, and
 * where the handler for it is: `createAuthForwarding` at `app/api/auth/[...path]/route.ts`.
 */
export function authRewrites(): { source: string; destination: string }[] {
  const sources = [
    '/_auth/:path*',
    '/.well-known/webauthn',
    '/.well-known/:document(oauth-[^/]+)/:path*',
  ]
  return sources.map((source) => ({
    source,
    destination: `/api/auth${source.replace('(oauth-[^/]+)', '')}`,
  }))
}

/**
 * The paths of the web host that belong to the API, because providers, mailed links, browsers and agents look for them
 * here, and the route that handles them: `createAuthForwarding` at `app/api/auth/[...path]/route.ts`.
 */
export function authRewrites(): { source: string; destination: string }[] {
  const sources = [
    '/_auth/:path*',
    '/.well-known/webauthn',
    '/.well-known/openid-configuration',
    '/.well-known/:document(oauth-[^/]+)/:path*',
  ]
  return sources.map((source) => ({
    source,
    destination: `/api/auth${source.replace('(oauth-[^/]+)', '')}`,
  }))
}

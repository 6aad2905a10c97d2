/** What the web host passes on to the API: where providers, mailed links, browsers and agents look for it. */
export function authRewrites(apiUrl: string): { source: string; destination: string }[] {
  return [
    { source: '/_auth/:path*', destination: `${apiUrl}/_auth/:path*` },
    { source: '/.well-known/webauthn', destination: `${apiUrl}/.well-known/webauthn` },
    {
      source: '/.well-known/:document(oauth-[^/]+)/:path*',
      destination: `${apiUrl}/.well-known/:document/:path*`,
    },
  ]
}

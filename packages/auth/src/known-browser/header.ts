/** The header in which a client shows what earlier sign-ins gave it to keep: one token or several, with commas between. */
export const knownBrowserHeader = 'x-svc-known-browser'

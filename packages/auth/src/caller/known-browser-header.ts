/** The header in which a client sends the tokens of earlier sign-ins: one, or several separated by commas. */
export const knownBrowserHeader = 'x-svc-known-browser'

/** A passkey by which a browser finds its authenticator. */
export interface KnownPasskey {
  readonly credentialId: string
  readonly transports: readonly string[]
}

export function descriptorsOf(passkeys: readonly KnownPasskey[]) {
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    type: 'public-key' as const,
    transports: [...transports],
  }))
}

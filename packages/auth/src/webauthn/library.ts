type Server = typeof import('@simplewebauthn/server')
type Helpers = typeof import('@simplewebauthn/server/helpers')

export type Library = Pick<Server, 'verifyRegistrationResponse' | 'verifyAuthenticationResponse'> &
  Pick<Helpers, 'isoCBOR'>

/** Loading it takes a third of a second and 30 MB: it waits for the first passkey. */
export async function loadLibrary(): Promise<Library> {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...server, ...helpers }
}

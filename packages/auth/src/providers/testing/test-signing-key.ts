import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** A key that a provider of the tests signs its id tokens with. */
export async function createSigningKey() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const kid = 'of-the-tests'
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  return {
    keySet: { keys: [jwk] },
    sign: (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid }).sign(privateKey),
  }
}

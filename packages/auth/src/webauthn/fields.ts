import { type OutputOf, t } from '@svc/core/contract'

/*
 * WebAuthn Level 3, section 5.1: a credential and the options for one, as JSON. A browser sends more than is named here.
 * What it repeats of the signed parts, such as `publicKey`, is dropped with the rest: only the signed parts count.
 */

const base64url = (maxLength: number) => t.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength })

// At most 1,023 bytes (section 4, "Credential ID").
const credentialId = base64url(1364)
// A few hundred bytes, with the origin and what a browser adds.
const clientDataJSON = base64url(4096)
const transports = t.Array(t.String({ pattern: '^[a-z-]{1,32}$' }), { maxItems: 8 })
const publicKeyType = t.Literal('public-key')

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: publicKeyType,
  clientExtensionResults: t.Object({}),
  authenticatorAttachment: t.Optional(t.Union([t.String({ maxLength: 32 }), t.Null()])),
}

/** What `navigator.credentials.create` returns. */
export const RegistrationResponse = t.Object({
  ...credential,
  response: t.Object({
    clientDataJSON,
    // With a maker's certificates, which were not requested.
    attestationObject: base64url(32_768),
    transports: t.Optional(transports),
  }),
})
export type RegistrationResponse = OutputOf<typeof RegistrationResponse>

/** What `navigator.credentials.get` returns. */
export const AuthenticationResponse = t.Object({
  ...credential,
  response: t.Object({
    clientDataJSON,
    // 37 bytes, and what extensions add.
    authenticatorData: base64url(2048),
    // RSA with 4,096 bits has 683.
    signature: base64url(1024),
    // At most 64 bytes (section 5.4.3); null unless `toJSON` made it.
    userHandle: t.Optional(t.Union([base64url(86), t.Null()])),
  }),
})
export type AuthenticationResponse = OutputOf<typeof AuthenticationResponse>

const descriptors = t.Array(
  t.Object({ id: t.String(), type: publicKeyType, transports: t.Array(t.String()) }),
)
const userVerification = t.Union([t.Literal('preferred'), t.Literal('required')])

/** What `navigator.credentials.create` takes, by `parseCreationOptionsFromJSON`. */
export const CreationOptions = t.Object({
  rp: t.Object({ id: t.String(), name: t.String() }),
  user: t.Object({ id: t.String(), name: t.String(), displayName: t.String() }),
  challenge: t.String(),
  pubKeyCredParams: t.Array(t.Object({ type: publicKeyType, alg: t.Integer() })),
  timeout: t.Integer(),
  excludeCredentials: descriptors,
  authenticatorSelection: t.Object({
    residentKey: t.Literal('required'),
    requireResidentKey: t.Literal(true),
    userVerification,
  }),
  attestation: t.Literal('none'),
})
export type CreationOptions = OutputOf<typeof CreationOptions>

/** What `navigator.credentials.get` takes, by `parseRequestOptionsFromJSON`. */
export const RequestOptions = t.Object({
  challenge: t.String(),
  timeout: t.Integer(),
  rpId: t.String(),
  allowCredentials: descriptors,
  userVerification,
})
export type RequestOptions = OutputOf<typeof RequestOptions>

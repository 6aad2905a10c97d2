import type { Credential, MiddlewareDocuments, Refusal } from '@svc/core'
import { ServiceUnavailableError, t, UnauthorizedError } from '@svc/core/contract'
import { AccountDisabledError, AccountPendingDeletionError } from '../accounts/errors.ts'
import {
  KeyExpiredError,
  PasswordChangeRequiredError,
  RequestBindingError,
  RequestReplayedError,
  TokenExpiredError,
} from '../caller/errors.ts'
import { ProofError, type ProofErrorCode } from '../proof/client.ts'

/** The refusals of an account, for every kind of proof. */
export const accountRefusals = [
  UnauthorizedError,
  AccountDisabledError,
  AccountPendingDeletionError,
  PasswordChangeRequiredError,
] as const

const requestJwt: Credential = {
  requestJwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token for this one request, which the device signs with its own key (ES256 or RS256). `kid` in its header names the key; `aud`, `htm`, `htu` and `bh` are the origin, the method, the target and the hash of the body, `exp` is soon after `iat`, and `jti` is used once. No server issues it: a sign-in registers the key.',
  },
}

/** How documents describe a request that is signed with a device key. */
export const signedRequest = {
  credentials: [requestJwt],
  errors: [
    ...accountRefusals,
    KeyExpiredError,
    TokenExpiredError,
    RequestBindingError,
    RequestReplayedError,
    // The store of used tokens cannot be reached.
    ServiceUnavailableError,
  ],
} satisfies MiddlewareDocuments

const wireSchema = t.Object({
  error: t.Object({ code: t.String(), message: t.String(), requestId: t.String() }),
})

function refusal(code: ProofErrorCode): Refusal {
  const { name, status } = new ProofError(code)
  return { name, status, schema: wireSchema }
}

const header = (name: string, description: string) => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

/** The two headers together: how documents describe a message signature. */
export const messageCredential: Credential = {
  signatureInput: header(
    'signature-input',
    'What the signature of a machine key covers (RFC 9421): `@method` and `@target-uri`, with a body `content-digest` and `content-type`, and the parameters `created`, `nonce`, `keyid` and `tag="svc"`.',
  ),
  signature: header('signature', 'The signature, under the same label.'),
}

/** All of them together: how documents describe `clientProofV1`. */
const clientProof: Credential = {
  proofProfile: header('x-svc-auth-profile', '`clientProofV1`.'),
  proofClientId: header('x-svc-client-id', 'The user id of the owner of the key.'),
  proofKeyId: header('x-svc-key-id', 'The id of the key, which is an ES256 key.'),
  proofNonce: header('x-svc-nonce', '16 to 128 printable characters, used once.'),
  proofIssuedAt: header('x-svc-issued-at', 'Milliseconds since 1970, in the time of the server.'),
  proof: header(
    'x-svc-proof',
    'The signature in hex, of the request as `clientProofV1` writes it. The body is canonical JSON.',
  ),
}

/** A signed token, or a proof. */
export const deviceCredentials: MiddlewareDocuments = {
  credentials: [...signedRequest.credentials, clientProof],
  errors: signedRequest.errors,
  refusals: (
    [
      'PROOF_INVALID',
      'PROOF_REPLAYED',
      'PROOF_EXPIRED',
      'SESSION_REVOKED',
      'PROFILE_REJECTED',
    ] as const
  ).map(refusal),
}

export const contractDocuments: MiddlewareDocuments = {
  requires:
    'Apps are built from a contract. An app sends its version in `x-svc-client-contract-version`, and the server answers with its own in `x-svc-server-contract-version` and `x-svc-supported-contract-range`.',
  refusals: [refusal('CONTRACT_UNSUPPORTED')],
}

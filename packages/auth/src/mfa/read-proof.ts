import { ValidationError } from '@svc/core'
import type { AuthenticationResponse } from '../webauthn/response-schemas.ts'
import type { FactorProof } from './contract.ts'

/** The one proof that was given. */
export type ReadProof =
  | { method: 'totp'; code: string }
  | { method: 'recovery code'; code: string }
  | { method: 'passkey'; response: AuthenticationResponse }

export function readProof({ code, recoveryCode, response }: FactorProof): ReadProof {
  const proofs: ReadProof[] = []
  if (code !== undefined) proofs.push({ method: 'totp', code: withoutSpaces(code) })
  if (recoveryCode !== undefined) proofs.push({ method: 'recovery code', code: recoveryCode })
  if (response !== undefined) proofs.push({ method: 'passkey', response })
  const [proof, ...more] = proofs
  if (proof && more.length === 0) return proof
  const message = 'Give exactly one of code, recoveryCode and response.'
  throw new ValidationError({ fields: [{ path: 'body', message }] })
}

/** Authenticator apps show six digits as two groups of three. */
export function withoutSpaces(code: string) {
  return code.replaceAll(/\s/g, '')
}

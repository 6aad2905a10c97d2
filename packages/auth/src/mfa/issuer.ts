import { defineEnv, type EnvironmentSource } from '@svc/core'
import { readRelyingParty } from '../webauthn/relying-party.ts'
import { shownName } from '../webauthn/shown-name.ts'

const readVariables = defineEnv({ SVC_AUTH_MFA_ISSUER: shownName })

/** The name that an authenticator app files an account under. */
export function readIssuer(source: EnvironmentSource) {
  return readVariables(source).SVC_AUTH_MFA_ISSUER ?? readRelyingParty(source).name
}

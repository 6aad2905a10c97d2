import { type authApi, PasskeyAlreadyRegisteredError } from '@svc/auth'
import {
  type Body,
  bytesOf,
  credentialOf,
  descriptorsOf,
  prompt,
  textOf,
} from './passkey-prompt.ts'

type Registration = Body<'passkeyRegisterVerify'>['response']
type CreationOptions = Awaited<ReturnType<typeof authApi.passkeyRegisterOptions.call>>

/** The new passkey, or null if the user cancelled. */
export async function makePasskey(options: CreationOptions) {
  const publicKey = publicKeyOf(options)
  try {
    const made = await prompt((signal) => navigator.credentials.create({ publicKey, signal }))
    return made && registrationOf(made)
  } catch (error) {
    // The same error as the API's, which would have been asked next.
    if (isAlreadyThere(error)) throw new PasskeyAlreadyRegisteredError()
    throw error
  }
}

function publicKeyOf({ challenge, user, excludeCredentials, ...options }: CreationOptions) {
  return {
    ...options,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: descriptorsOf(excludeCredentials),
  }
}

function registrationOf(credential: PublicKeyCredential): Registration {
  const response = credential.response as AuthenticatorAttestationResponse // it is the answer to `create`
  // A password manager may not say how it is reached.
  const transports = response.getTransports?.()
  return {
    ...credentialOf(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      ...(transports && { transports }),
    },
  }
}

function isAlreadyThere(error: unknown) {
  return error instanceof Error && error.name === 'InvalidStateError'
}

import type { authApi } from '@svc/auth'
import { useEffect, useState } from 'react'
import {
  type Body,
  bytesOf,
  credentialOf,
  descriptorsOf,
  prompt,
  textOf,
} from './passkey-prompt.ts'

export type Assertion = Body<'passkeyLoginVerify'>['response']
type RequestOptions = Awaited<ReturnType<typeof authApi.passkeyLoginOptions.call>>

interface How {
  /** Offers passkeys among the browser's suggestions for a field, instead of in a dialog, until this is aborted. */
  offered?: AbortSignal
}

/** What a passkey of the browser has signed, or null if the user cancelled. */
export async function askPasskey(options: RequestOptions, { offered }: How = {}) {
  const publicKey = publicKeyOf(options)
  const found = offered
    ? await prompt(
        (signal) => navigator.credentials.get({ publicKey, signal, mediation: 'conditional' }),
        [offered],
      )
    : await prompt((signal) => navigator.credentials.get({ publicKey, signal }))
  return found && assertionOf(found)
}

function publicKeyOf({ challenge, allowCredentials, ...options }: RequestOptions) {
  // Some browsers find no passkey in an empty list.
  const allowed = allowCredentials.length > 0 && {
    allowCredentials: descriptorsOf(allowCredentials),
  }
  return { ...options, ...allowed, challenge: bytesOf(challenge) }
}

function assertionOf(credential: PublicKeyCredential): Assertion {
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse // it is the answer to `get`
  return {
    ...credentialOf(credential),
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      ...(userHandle && { userHandle: textOf(userHandle) }),
    },
  }
}

/** Whether the browser supports passkeys. Null on the server and until the page is mounted. */
export function usePasskeySupport() {
  const [isSupported, setSupported] = useState<boolean | null>(null)
  useEffect(() => setSupported(supportsPasskeys()), [])
  return isSupported
}

/** Whether the browser can offer passkeys among its suggestions for a field. */
export async function canOfferPasskeys() {
  if (!supportsPasskeys()) return false
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false
}

function supportsPasskeys() {
  return typeof globalThis.PublicKeyCredential === 'function'
}

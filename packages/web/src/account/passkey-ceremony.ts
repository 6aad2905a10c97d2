import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { type authApi, PasskeyAlreadyRegisteredError } from '@svc/auth'
import { useEffect, useState } from 'react'

type Body<Name extends keyof typeof authApi> =
  NonNullable<Parameters<(typeof authApi)[Name]['call']>[0]> extends { body: infer Given }
    ? Given
    : never

export type Assertion = Body<'passkeyLoginVerify'>['response']
type Registration = Body<'passkeyRegisterVerify'>['response']
type RequestOptions = Awaited<ReturnType<typeof authApi.passkeyLoginOptions.call>>
type CreationOptions = Awaited<ReturnType<typeof authApi.passkeyRegisterOptions.call>>

type Asked = Parameters<typeof startAuthentication>[0]['optionsJSON']
type AskedToMake = Parameters<typeof startRegistration>[0]['optionsJSON']

interface How {
  /** Offers passkeys among the browser's suggestions for a field, instead of in a dialog. */
  useBrowserAutofill?: boolean
}

/** What a passkey of the browser has signed, or null if the user cancelled. */
export function askPasskey(options: RequestOptions, how: How = {}): Promise<Assertion | null> {
  // A browser knows more transports than its types name.
  const optionsJSON = options as Asked
  return unlessCancelled(startAuthentication({ optionsJSON, ...how }) as Promise<Assertion>)
}

/** The new passkey, or null if the user cancelled. */
export function makePasskey(options: CreationOptions): Promise<Registration | null> {
  const optionsJSON = options as AskedToMake
  return unlessCancelled(startRegistration({ optionsJSON }) as Promise<Registration>)
}

// A page can't tell a dialog that the user closed from one that timed out.
const cancellations = ['NotAllowedError', 'AbortError']

async function unlessCancelled<Result>(ceremony: Promise<Result>) {
  try {
    return await ceremony
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (cancellations.includes(name)) return null
    // The same error as the API's, which would have been asked next.
    if (name === 'InvalidStateError') throw new PasskeyAlreadyRegisteredError()
    throw error
  }
}

/** Whether the browser supports passkeys. Null on the server and until the page is mounted. */
export function usePasskeySupport() {
  const [isSupported, setSupported] = useState<boolean | null>(null)
  useEffect(() => setSupported(browserSupportsWebAuthn()), [])
  return isSupported
}

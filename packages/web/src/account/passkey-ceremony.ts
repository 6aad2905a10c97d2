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
  /** Among what the browser fills a field with, instead of in a dialog. */
  useBrowserAutofill?: boolean
}

/** What a passkey of the browser has signed, or null where somebody would rather not. */
export function askPasskey(options: RequestOptions, how: How = {}): Promise<Assertion | null> {
  // A browser knows more transports than its types name.
  const optionsJSON = options as Asked
  return unlessCancelled(startAuthentication({ optionsJSON, ...how }) as Promise<Assertion>)
}

/** A passkey that was made, or null where somebody would rather not. */
export function makePasskey(options: CreationOptions): Promise<Registration | null> {
  const optionsJSON = options as AskedToMake
  return unlessCancelled(startRegistration({ optionsJSON }) as Promise<Registration>)
}

// A dialog that was closed, and one that nobody answered in time, look the same to a page.
const cancellations = ['NotAllowedError', 'AbortError']

async function unlessCancelled<Result>(ceremony: Promise<Result>) {
  try {
    return await ceremony
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (cancellations.includes(name)) return null
    // As the API says it, which would have been asked next.
    if (name === 'InvalidStateError') throw new PasskeyAlreadyRegisteredError()
    throw error
  }
}

/** Whether the browser knows passkeys. On a server, and until the page stands, nobody can tell: null. */
export function usePasskeySupport() {
  const [isSupported, setSupported] = useState<boolean | null>(null)
  useEffect(() => setSupported(browserSupportsWebAuthn()), [])
  return isSupported
}

import {
  defineEnv,
  EnvironmentError,
  type EnvironmentSource,
  oneOf,
  type Variable,
} from '@svc/core'
import { readAppUrl } from '../app-url.ts'

/** A name that authenticators show. A colon would end it: `otpauth://totp/<issuer>:<account>`. */
export const shownName: Variable<string | undefined> = (given) =>
  given === undefined || /^[^:\p{Cc}]{1,64}$/u.test(given)
    ? { value: given }
    : { problem: 'must be up to 64 characters without a colon' }

/** The server that asks for a passkey, in the words of WebAuthn. */
export interface RelyingParty {
  readonly id: string
  readonly name: string
  readonly origins: readonly string[]
  /**
   * Those origins that are on other domains. A browser reads them from
   * https://<id>/.well-known/webauthn.
   */
  readonly relatedOrigins: readonly string[]
  readonly userVerification: 'preferred' | 'required'
}

const domain: Variable<string | undefined> = (given) =>
  given === undefined || isDomain(given)
    ? { value: given }
    : { problem: 'must be a domain such as example.com, in lower case and without a port' }

/** A browser accepts no IP address, and no public suffix such as `com`. */
function isDomain(text: string) {
  const isName = text === 'localhost' || /\.[a-z][a-z0-9-]*$/.test(text)
  return isName && URL.parse(`https://${text}`)?.hostname === text
}

const origins: Variable<readonly string[] | undefined> = (given) => {
  if (given === undefined) return { value: given }
  const read = given.split(',').map((item) => readOrigin(item.trim()))
  return read.every((origin) => origin !== null)
    ? { value: read }
    : { problem: 'must be a list of origins such as https://app.example.com' }
}

/** An app on Android has the hash of its certificate as its origin. */
const androidOrigin = /^android:apk-key-hash:[\w-]{43}$/

function readOrigin(text: string) {
  if (androidOrigin.test(text)) return text
  const url = URL.parse(text)
  if (!url || url.href !== `${url.origin}/`) return null
  return url.protocol === 'https:' || isLocal(url) ? url.origin : null
}

/** The only plain http on which a browser supports passkeys. */
function isLocal({ protocol, hostname }: URL) {
  return protocol === 'http:' && /^(?:.+\.)?localhost$/.test(hostname)
}

const readVariables = defineEnv({
  SVC_AUTH_PASSKEY_RP_ID: domain,
  SVC_AUTH_PASSKEY_RP_NAME: shownName,
  SVC_AUTH_PASSKEY_ORIGINS: origins,
  // If it did not verify its user, a passkey would be only as good as the device it is on.
  SVC_AUTH_PASSKEY_USER_VERIFICATION: oneOf('preferred', 'required'),
})

/**
 * Defaults come from the app URL. Values that don't fit together are refused, because no browser
 * would use a passkey.
 */
export function readRelyingParty(source: EnvironmentSource): RelyingParty {
  const env = readVariables(source)
  const app = new URL(readAppUrl(source))
  const id = env.SVC_AUTH_PASSKEY_RP_ID ?? app.hostname
  const allowed = env.SVC_AUTH_PASSKEY_ORIGINS ?? [app.origin]
  const ofWeb = allowed.filter((origin) => !androidOrigin.test(origin))
  const relatedOrigins = ofWeb.filter((origin) => !belongsTo(id, origin))
  const domainFrom = env.SVC_AUTH_PASSKEY_RP_ID
    ? 'SVC_AUTH_PASSKEY_RP_ID'
    : 'the domain of the app URL'
  if (relatedOrigins.length === ofWeb.length) {
    const from = env.SVC_AUTH_PASSKEY_ORIGINS ? 'one of SVC_AUTH_PASSKEY_ORIGINS' : 'the app URL'
    throw new EnvironmentError([`${from} must be on ${domainFrom} or below it, for passkeys`])
  }
  const problem = problemOf(relatedOrigins)
  if (problem) {
    const which = `SVC_AUTH_PASSKEY_ORIGINS that are not on ${domainFrom} or below it`
    throw new EnvironmentError([`${which} ${problem}`])
  }
  return {
    id,
    name: env.SVC_AUTH_PASSKEY_RP_NAME ?? app.hostname,
    origins: allowed,
    relatedOrigins,
    userVerification: env.SVC_AUTH_PASSKEY_USER_VERIFICATION,
  }
}

function belongsTo(id: string, origin: string) {
  const { hostname } = new URL(origin)
  return hostname === id || hostname.endsWith(`.${id}`)
}

// A browser compares the label before the public suffix, and must support only five (section
// 5.11.1).
const maxRelated = 5

function problemOf(relatedOrigins: readonly string[]) {
  if (relatedOrigins.some((origin) => !origin.startsWith('https:'))) return 'must have https'
  return relatedOrigins.length > maxRelated ? `must be ${maxRelated} at most` : null
}

import { ValidationError } from '@svc/core'
import type { Identifier } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { configured, type SendContext } from '../configure-auth.ts'
import { findKnownBrowser } from '../known-browser/find-known-browser.ts'
import type { SendProofs } from './contract.ts'
import { requireWork } from './require-work.ts'
import { takeSend } from './take-send.ts'

export interface Send {
  identifier: Identifier
  purpose: SendContext['purpose']
  proofs: SendProofs
  origin: RequestOrigin
}

type SendNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'notifier'>

/**
 * Whether a message may be sent to an address or number that a stranger may have named. It is decided before the
 * account is looked up, so that no refusal reveals one. Counted last, so that requests stopped by a captcha are not
 * counted.
 */
export async function admitSend(auth: SendNeeds, send: Send) {
  const { identifier, purpose, proofs, origin } = send
  refuseCountry(auth, identifier)
  const isKnown = (await findKnownBrowser(auth, { identifier, origin })) !== null
  if (!isKnown) await requireWork(auth, { identifier, purpose, work: proofs.work })
  await configured().beforeSend?.(contextOf(send, isKnown))
  await takeSend(auth, { identifier, purpose, address: origin.address, isKnown })
  return { isKnown }
}

/** Depends only on the number. */
function refuseCountry({ notifier }: Needs<'notifier'>, { type, value }: Identifier) {
  if (type === 'email' || notifier.texts(value)) return
  const message = 'Text messages are not sent to numbers of this country. Use an email address.'
  throw new ValidationError({ fields: [{ path: 'body.target', message }] })
}

function contextOf({ identifier, purpose, proofs, origin }: Send, isKnown: boolean): SendContext {
  const { type, value: target } = identifier
  const { address, userAgent } = origin
  const { proof } = proofs
  return {
    channel: type === 'email' ? 'mail' : 'sms',
    target,
    purpose,
    address,
    userAgent,
    isKnown,
    ...(proof !== undefined && { proof }),
  }
}

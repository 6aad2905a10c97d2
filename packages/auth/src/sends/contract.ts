import { t } from '@svc/core/contract'
import { limitRefusals, perDay, perHour, perMinute } from '../limits/contract.ts'
import { ProofOfWorkRequiredError, SendRejectedError } from './errors.ts'

/** Input of operations that send a message to an address or number that a stranger may name. */
export const sendFields = {
  /** For the application's `beforeSend`, such as the response of a captcha. */
  proof: t.Optional(t.String({ maxLength: 8192 })),
  /** The solution for a `ProofOfWorkRequiredError`. */
  work: t.Optional(t.String({ maxLength: 256 })),
}

export interface SendProofs {
  proof?: string | undefined
  work?: string | undefined
}

/** How such an operation may refuse. */
export const sendRefusals = [SendRejectedError, ProofOfWorkRequiredError, ...limitRefusals] as const

const codes = { variable: 'SVC_AUTH_CODES_PER_DAY' }
const texts = { variable: 'SVC_AUTH_TEXTS_PER_DAY' }
const textsOfServer = { variable: 'SVC_SMS_PER_DAY' }

/** Messages to an address or number that a stranger may have named. */
export const sendLimits = {
  'code send by target and address': perMinute(5),
  'code send by known browser': perMinute(5),
  'codes in a day by target': { ...perDay(20), setBy: codes },
  'codes in a day by known browser': { ...perDay(20), setBy: codes },
  'texts in an hour by target': perHour(5),
  'texts in an hour by known browser': perHour(5),
  'texts in a day by target': { ...perDay(10), setBy: texts },
  'texts in a day by known browser': { ...perDay(10), setBy: texts },
  'texts in a day by strangers': { ...perDay(800), setBy: { ...textsOfServer, share: 0.8 } },
  'texts in a day by server': { ...perDay(1000), setBy: textsOfServer },
  'undo texts in a day by target': perDay(10),
  'link mails in a day by target and address': perDay(10),
  'link mails in a day by target': perDay(50),
  'link mails in a day by known browser': perDay(20),
  // Each requester has its own count for a target. The count for all of them together protects the mailbox.
  'signup request by target and address': perMinute(5),
  'signup request by target': perMinute(20),
  'reset request by target and address': perMinute(5),
  'reset request by target': perMinute(20),
}

import { defineEnv, EnvironmentError, type EnvironmentSource, oneOf } from '@svc/core'
import { mailFrom, mailUrl } from './mail/env.ts'
import { smsCountries, smsUrl } from './sms/env.ts'

const readVariables = defineEnv({
  NODE_ENV: oneOf('development', 'test', 'production'),
  SVC_MAIL_URL: mailUrl,
  SVC_MAIL_FROM: mailFrom,
  SVC_SMS_URL: smsUrl,
  SVC_SMS_COUNTRIES: smsCountries,
})

const outbox = { to: 'file', directory: '.svc/outbox' } as const
const unset = {
  development: { mail: outbox, sms: outbox },
  // No message may get lost silently: mail has no default here, and the boot fails without it.
  production: { mail: null, sms: { to: 'none' } as const },
}

/** The variables of mail and text messages, read and checked. */
export type NotificationEnv = ReturnType<typeof readNotificationEnv>

/** Every variable of mail and text messages. No other file of this package reads the environment. */
export function readNotificationEnv(source?: EnvironmentSource) {
  const env = readVariables(source)
  const isProduction = env.NODE_ENV === 'production'
  const initial = isProduction ? unset.production : unset.development
  const mail = env.SVC_MAIL_URL ?? initial.mail
  const sms = env.SVC_SMS_URL ?? initial.sms

  const problems = [
    mail === null && 'SVC_MAIL_URL is required in production: set it to none to send no mail',
    isProduction &&
      mail?.to === 'smtp' &&
      env.SVC_MAIL_FROM === undefined &&
      'SVC_MAIL_FROM is required to send mail by SMTP',
    isProduction &&
      sms.to === 'https' &&
      sms.url.protocol === 'http:' &&
      'SVC_SMS_URL must be https: in production',
    // Attackers request codes to expensive foreign numbers, and the server's owner pays for them.
    isProduction &&
      sms.to !== 'none' &&
      env.SVC_SMS_COUNTRIES === undefined &&
      'SVC_SMS_COUNTRIES is required to send text messages: set it to the calling codes of the countries, such as 82,1, or to * for all',
  ].filter((problem) => problem !== false)
  if (mail === null || problems.length > 0) throw new EnvironmentError(problems)

  return {
    NODE_ENV: env.NODE_ENV,
    SVC_MAIL_URL: mail,
    SVC_MAIL_FROM: env.SVC_MAIL_FROM ?? { name: '', address: 'no-reply@localhost' },
    SVC_SMS_URL: sms,
    SVC_SMS_COUNTRIES: env.SVC_SMS_COUNTRIES ?? '*',
  }
}

import { type EnvironmentSource, type Infrastructure, readServerEnv } from '@svc/core'
import { readNotificationEnv } from '@svc/notification'
import type { Service } from '../capability/capability.ts'
import { providerVariables } from '../providers/providers.ts'
import { socialOf } from '../social/social.ts'
import type { Feature, FeatureName, ProviderState } from './contract.ts'

/** What options of the lifecycle turn on. */
export interface TurnedOn {
  readonly agents: boolean
  readonly support: boolean
}

interface Given extends Pick<Service, 'env' | 'keyring'> {
  readonly source: EnvironmentSource
}

/** What is configured, by the names of variables and options. No value leaves this function. */
export function featuresOf({ source, env, keyring }: Given, { agents, support }: TurnedOn) {
  const server = readServerEnv(source)
  const { SVC_MAIL_URL: mail, SVC_SMS_URL: sms } = readNotificationEnv(source)
  const isStrict = env.SVC_AUTH_REQUEST_BINDING === 'strict'
  return [
    feature('mail', mail.to === 'smtp', 'SVC_MAIL_URL', 'SVC_MAIL_FROM'),
    feature('sms', sms.to === 'https', 'SVC_SMS_URL', 'SVC_SMS_COUNTRIES'),
    feature('encryption', keyring !== null, 'SVC_AUTH_TOKEN_ENCRYPTION_KEYS'),
    feature('agents', agents, 'authorizationServer'),
    feature('support', support, 'support'),
    feature('strict binding', isStrict, 'SVC_AUTH_REQUEST_BINDING'),
    feature('breached passwords', env.SVC_AUTH_BREACHED_PASSWORDS, 'SVC_AUTH_BREACHED_PASSWORDS'),
    feature('limits', env.SVC_RATE_LIMIT, 'SVC_RATE_LIMIT'),
    feature('send work', env.SVC_AUTH_SEND_WORK_BITS > 0, 'SVC_AUTH_SEND_WORK_BITS'),
    feature('cache', server.CACHE_URL !== undefined, 'CACHE_URL'),
    feature('replica', server.DATABASE_URL_REPLICA !== undefined, 'DATABASE_URL_REPLICA'),
    feature('metrics', server.SVC_OPS_METRICS_TOKEN !== undefined, 'SVC_OPS_METRICS_TOKEN'),
    feature('traces', server.SVC_TRACING !== 'off', 'SVC_TRACING'),
  ]
}

function feature(name: FeatureName, isOn: boolean, ...setBy: string[]): Feature {
  return { name, isOn, setBy }
}

/** The built-in providers and those of the application, whether or not they are on. */
export function providerStates(
  server: Infrastructure,
  missing: ReadonlyMap<string, string>,
): ProviderState[] {
  const { providers } = socialOf(server)
  return providers.all().map((provider) => {
    const { id, web = false } = provider
    const lacks = missing.get(id)
    return {
      id,
      web,
      native: 'verifyNativeIdToken' in provider,
      setBy: [...(providerVariables.get(id) ?? [])],
      ...(lacks !== undefined && { missing: lacks }),
    }
  })
}

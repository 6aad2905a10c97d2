import type { Clock, EnvironmentSource } from '@svc/core'
import type { AuthEnv } from '../env.ts'
import { createKeySets } from '../openid/key-sets.ts'
import { readProviderSettings } from '../openid/provider-settings.ts'
import { createAppleProvider } from './apple.ts'
import { readEndpoints } from './endpoints.ts'
import { createGithubProvider } from './github.ts'
import { createGoogleProvider } from './google.ts'
import { createKakaoProvider } from './kakao.ts'
import { createNaverProvider } from './naver.ts'
import type { BuiltinProviders } from './registry.ts'

/** The providers that come with the service, each for what it is configured for. */
export function createBuiltinProviders(
  source: EnvironmentSource,
  { clock, env }: { clock: Clock; env: Pick<AuthEnv, 'SVC_AUTH_KAKAO_ADMIN_KEY'> },
): BuiltinProviders {
  const settings = readProviderSettings(source)
  const shared = { endpoints: readEndpoints(source, clock), keys: createKeySets(clock), clock }
  const providers = [
    createGoogleProvider({ ...shared, settings: settings.google }),
    createAppleProvider({ ...shared, settings: settings.apple }),
    createGithubProvider({ ...shared, settings: settings.github }),
    createKakaoProvider({
      ...shared,
      settings: settings.kakao,
      adminKey: env.SVC_AUTH_KAKAO_ADMIN_KEY,
    }),
    createNaverProvider({ ...shared, settings: settings.naver }),
  ]
  return new Map(providers.map((provider) => [provider.id, provider]))
}

import { defineEnv, EnvironmentError, type EnvironmentSource, optional } from '@svc/core'
import type { EndpointName } from '../openid/discovery.ts'
import { isProviderAddress } from '../openid/provider-address.ts'

const readVariables = defineEnv({
  SVC_AUTH_GOOGLE_ISSUER: optional,
  SVC_AUTH_GOOGLE_AUTHORIZATION_ENDPOINT: optional,
  SVC_AUTH_GOOGLE_TOKEN_ENDPOINT: optional,
  SVC_AUTH_GOOGLE_JWKS_URI: optional,
  SVC_AUTH_APPLE_ISSUER: optional,
  SVC_AUTH_APPLE_JWKS_URI: optional,
  SVC_AUTH_KAKAO_ISSUER: optional,
  SVC_AUTH_KAKAO_AUTHORIZATION_ENDPOINT: optional,
  SVC_AUTH_KAKAO_TOKEN_ENDPOINT: optional,
  SVC_AUTH_KAKAO_JWKS_URI: optional,
  SVC_AUTH_KAKAO_USERINFO_ENDPOINT: optional,
  SVC_AUTH_NAVER_ISSUER: optional,
  SVC_AUTH_NAVER_AUTHORIZATION_ENDPOINT: optional,
  SVC_AUTH_NAVER_TOKEN_ENDPOINT: optional,
  SVC_AUTH_NAVER_JWKS_URI: optional,
  SVC_AUTH_NAVER_USERINFO_ENDPOINT: optional,
  SVC_AUTH_GITHUB_AUTHORIZATION_ENDPOINT: optional,
  SVC_AUTH_GITHUB_TOKEN_ENDPOINT: optional,
  SVC_AUTH_GITHUB_API_URL: optional,
})

type Variables = ReturnType<typeof readVariables>

/** The addresses that are set for a provider. */
export type SetAddresses = Partial<Record<EndpointName | 'issuer' | 'apiUrl', string>>

/** Where to ask the providers, in place of where they really are. */
export function readSetAddresses(source: EnvironmentSource) {
  const env = readVariables(source)
  checkAddresses(env, source)
  return {
    google: addressesOf('GOOGLE', env),
    apple: addressesOf('APPLE', env),
    kakao: addressesOf('KAKAO', env),
    naver: addressesOf('NAVER', env),
    github: addressesOf('GITHUB', env),
  }
}

function checkAddresses(env: Variables, source: EnvironmentSource) {
  const problems = Object.entries(env)
    .filter(([, address]) => address !== undefined && !isProviderAddress(address, source))
    .map(([name]) => `${name} must be an https address; outside production, http on loopback too`)
  if (problems.length > 0) throw new EnvironmentError(problems)
}

const suffixes = {
  issuer: 'ISSUER',
  authorizationEndpoint: 'AUTHORIZATION_ENDPOINT',
  tokenEndpoint: 'TOKEN_ENDPOINT',
  jwksUri: 'JWKS_URI',
  userinfoEndpoint: 'USERINFO_ENDPOINT',
  apiUrl: 'API_URL',
}

function addressesOf(provider: string, env: Record<string, string | undefined>): SetAddresses {
  const all = Object.entries(suffixes).map(([name, suffix]) => [
    name,
    env[`SVC_AUTH_${provider}_${suffix}`],
  ])
  return Object.fromEntries(all.filter(([, address]) => address !== undefined))
}

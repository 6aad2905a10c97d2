import {
  type Clock,
  defineEnv,
  EnvironmentError,
  type EnvironmentSource,
  optional,
} from '@svc/core'
import {
  createDiscovery,
  type Discover,
  type EndpointName,
  isProviderAddress,
} from './openid/openid.ts'

/** The addresses of each provider. Reading one may request a configured issuer's metadata. */
export interface Endpoints {
  google(): Promise<WebEndpoints>
  apple(): Promise<KeyEndpoints>
  kakao(): Promise<UserinfoEndpoints>
  naver(): Promise<UserinfoEndpoints>
  github(): GithubEndpoints
  readonly issuers: Readonly<Record<'google' | 'apple' | 'kakao' | 'naver', string>>
}

interface KeyEndpoints {
  readonly issuer: string
  readonly jwksUri: string
}

interface WebEndpoints extends KeyEndpoints {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
}

interface UserinfoEndpoints extends WebEndpoints {
  readonly userinfoEndpoint: string
}

interface GithubEndpoints {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly apiUrl: string
}

const google = {
  issuer: 'https://accounts.google.com',
  authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenEndpoint: 'https://oauth2.googleapis.com/token',
  jwksUri: 'https://www.googleapis.com/oauth2/v3/certs',
}

const apple = {
  issuer: 'https://appleid.apple.com',
  jwksUri: 'https://appleid.apple.com/auth/keys',
}

const kakao = {
  issuer: 'https://kauth.kakao.com',
  authorizationEndpoint: 'https://kauth.kakao.com/oauth/authorize',
  tokenEndpoint: 'https://kauth.kakao.com/oauth/token',
  jwksUri: 'https://kauth.kakao.com/.well-known/jwks.json',
  // OpenID Connect's own endpoint does not say whether an address is valid.
  userinfoEndpoint: 'https://kapi.kakao.com/v2/user/me',
}

const naver = {
  issuer: 'https://nid.naver.com',
  authorizationEndpoint: 'https://nid.naver.com/oauth2.0/authorize',
  tokenEndpoint: 'https://nid.naver.com/oauth2.0/token',
  jwksUri: 'https://nid.naver.com/oauth2/jwks',
  userinfoEndpoint: 'https://openapi.naver.com/v1/nid/me',
}

const github = {
  authorizationEndpoint: 'https://github.com/login/oauth/authorize',
  tokenEndpoint: 'https://github.com/login/oauth/access_token',
  apiUrl: 'https://api.github.com',
}

/** The addresses of the providers: the real ones, unless variables set others. */
export function readEndpoints(source: EnvironmentSource, clock?: Clock): Endpoints {
  const set = readSetAddresses(source)
  const discover = createDiscovery(clock)
  return {
    google: resolver(google, set.google, discover),
    apple: resolver(apple, set.apple, discover),
    kakao: resolver(kakao, set.kakao, discover),
    naver: resolver(naver, set.naver, discover),
    github: () => ({ ...github, ...set.github }),
    issuers: {
      google: set.google.issuer ?? google.issuer,
      apple: set.apple.issuer ?? apple.issuer,
      kakao: set.kakao.issuer ?? kakao.issuer,
      naver: set.naver.issuer ?? naver.issuer,
    },
  }
}

/** A set address wins. If an issuer is set, the rest comes from its metadata. */
function resolver<Known extends KeyEndpoints>(known: Known, set: SetAddresses, discover: Discover) {
  return async (): Promise<Known> => {
    const { issuer } = set
    const missing = names.filter((name) => name in known && !(name in set))
    if (issuer === undefined || missing.length === 0) return { ...known, ...set }
    const metadata = await discover(issuer)
    const found = Object.fromEntries(missing.map((name) => [name, metadata.endpoint(name)]))
    return { ...known, ...found, ...set }
  }
}

const names = ['authorizationEndpoint', 'tokenEndpoint', 'jwksUri', 'userinfoEndpoint'] as const

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
type SetAddresses = Partial<Record<EndpointName | 'issuer' | 'apiUrl', string>>

/** Addresses that replace the providers' real ones. */
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

interface BuiltinProvider {
  name: string
  /** The variables of the API that turn it on for the web. */
  web: readonly string[]
  /** Where to register a redirect URI. */
  console: string
}

/** The providers that come with the framework and sign in browsers. */
export const builtinProviders: ReadonlyMap<string, BuiltinProvider> = new Map(
  Object.entries({
    google: {
      name: 'Google',
      web: ['SVC_AUTH_GOOGLE_CLIENT_ID', 'SVC_AUTH_GOOGLE_CLIENT_SECRET'],
      console: 'Google Cloud console, Credentials, the client, "Authorized redirect URIs"',
    },
    github: {
      name: 'GitHub',
      web: ['SVC_AUTH_GITHUB_CLIENT_ID', 'SVC_AUTH_GITHUB_CLIENT_SECRET'],
      console: 'GitHub, Developer settings, OAuth Apps, "Authorization callback URL"',
    },
    kakao: {
      name: 'Kakao',
      web: ['SVC_AUTH_KAKAO_CLIENT_ID'],
      console: 'Kakao Developers, the app, Kakao Login, "Redirect URI"',
    },
    naver: {
      name: 'Naver',
      web: ['SVC_AUTH_NAVER_CLIENT_ID', 'SVC_AUTH_NAVER_CLIENT_SECRET'],
      console: 'Naver Developers, the application, API settings, "Callback URL"',
    },
  }),
)

/** Where to register the redirect URI, for built-in providers and for others. */
export function consoleOf(id: string) {
  return builtinProviders.get(id)?.console ?? `the settings of this client at ${id}`
}

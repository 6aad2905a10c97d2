import {
  defineEvent,
  defineEventRouter,
  defineMessage,
  defineRouter,
  defineServer,
  defineWebSocketRouter,
  documentedRoutes,
  openApi,
  route,
  type ServerDefinition,
  t,
} from '@svc/core'
import { Compile } from 'typebox/schema'
import { authenticate } from '../../authenticate/authenticate.ts'
import { createAuthLifecycle } from '../../lifecycle.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { accessTokenAuth } from '../../oauth2/oauth2.ts'
import { openidEnv, openidOptions } from '../../oauth2/testing/test-openid.ts'
import { registerOAuthProvider } from '../../providers/providers.ts'
import { authRouter } from '../../router.ts'
import { addressProvider } from '../test-provider.ts'

// Nobody listens there: nothing that is sent here leaves this machine.
const nowhere = 'http://127.0.0.1:9'
const web = ['GOOGLE', 'GITHUB', 'KAKAO', 'NAVER']

/** Everything that can be configured, so that every operation does what it is for. */
export const env = {
  ...withKeyring(),
  ...openidEnv,
  SVC_AUTH_LINK_MAIL_DELIVERY: 'inline',
  SVC_AUTH_APPLE_CLIENT_IDS: 'apple',
  SVC_AUTH_KAKAO_ADMIN_KEY: 'an admin key of tests',
  SVC_AUTH_GITHUB_API_URL: nowhere,
  SVC_AUTH_GITHUB_TOKEN_ENDPOINT: nowhere,
  ...Object.fromEntries(
    ['GOOGLE', 'APPLE', 'KAKAO', 'NAVER'].map((name) => [`SVC_AUTH_${name}_ISSUER`, nowhere]),
  ),
  ...Object.fromEntries(
    web.flatMap((name) => [
      [`SVC_AUTH_${name}_CLIENT_ID`, `${name} of tests`],
      [`SVC_AUTH_${name}_CLIENT_SECRET`, `a client secret of ${name}`],
    ]),
  ),
}

/** The tokens of the links that were mailed, by template, the newest last. */
export const mailedTokens = new Map<string, string[]>()

const keeping = (template: string) => (facts: { url: string }) => {
  const [, token = ''] = /token=([\w-]+)/.exec(facts.url) ?? []
  const kept = mailedTokens.get(template) ?? []
  mailedTokens.set(template, [...kept, token].slice(-20))
  return { subject: 's', text: 't' }
}
const kept = [
  ...(['signup-link', 'password-reset', 'invitation', 'contact-changed'] as const),
  'factor-removal-asked' as const,
]
const quiet = [
  ...(['account-exists', 'agent-connected', 'contact-added', 'deletion-cancelled'] as const),
  ...(['deletion-requested', 'machine-key-added', 'new-device', 'passkey-added'] as const),
  ...(['passkey-removed', 'password-changed', 'recovery-code-used', 'revoke-all'] as const),
  ...(['recovery-codes-made', 'second-factor-added', 'second-factor-failed'] as const),
  ...(['second-factor-removed', 'social-linked', 'social-unlinked'] as const),
  ...(['support-opened', 'support-ended'] as const),
]
const templates = {
  ...Object.fromEntries(quiet.map((name) => [name, null])),
  ...Object.fromEntries(kept.map((name) => [name, keeping(name)])),
}

const noticeEvent = defineEvent('fuzz.notice', t.Object({ text: t.String() }))
const router = defineRouter({
  tools: route
    .post('/mcp')
    .use([accessTokenAuth('/mcp')])
    .input({ body: t.Object({ text: t.Optional(t.String({ maxLength: 100 })) }) })
    .handler(() => ({ done: true })),
})

registerOAuthProvider(addressProvider)

const sockets = defineWebSocketRouter({
  events: { notice: noticeEvent },
  messages: { echo: defineMessage(t.Object({ text: t.String() }), ({ payload }) => payload) },
})

export const application: ServerDefinition = defineServer()
  .routes(router.packages([authRouter]).use([authenticate]))
  .lifecycle(
    createAuthLifecycle({ ...openidOptions.options, support: { consent: 'code' }, templates }),
  )
  .events(defineEventRouter({ notice: noticeEvent }), { auth: { enabled: true } })
  .websockets(sockets, { auth: { enabled: true } })

interface Documented {
  operationId: string
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}

export interface Said {
  /** By status: the names of the refusals, and whether a body is right that is none. */
  statuses: Map<number, { names: string[]; isRight: (body: unknown) => boolean }>
}

/** What the application's own document says of each operation, by its name. */
export function readDocument(): Map<string, Said> {
  const info = { title: 'fuzz', version: '1.0.0' }
  const document = JSON.parse(JSON.stringify(openApi(documentedRoutes(application), info)))
  const operations = Object.values(document.paths as Record<string, Record<string, Documented>>)
  return new Map(
    operations.flatMap((methods) =>
      Object.values(methods).map(({ operationId, responses }) => {
        const statuses = Object.entries(responses).flatMap(([status, { description, content }]) =>
          status === 'default'
            ? []
            : [
                [
                  Number(status),
                  { names: description.split(', '), isRight: checkOf(content) },
                ] as const,
              ],
        )
        return [operationId, { statuses: new Map(statuses) }]
      }),
    ),
  )
}

function checkOf(content: Record<string, { schema: object }> | undefined) {
  const schema = content?.['application/json']?.schema
  if (!schema || JSON.stringify(schema).includes('$ref')) return () => true
  const compiled = Compile(schema as never)
  return (body: unknown) => compiled.Check(body)
}

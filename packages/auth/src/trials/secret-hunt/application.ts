import {
  defineEventRouter,
  defineRouter,
  defineServer,
  route,
  type ServerDefinition,
} from '@svc/core'
import {
  redisProgram,
  startTestRedis,
  startTestServer,
  type TestRedis,
  type TestServer,
} from '@svc/core/testing'
import { authenticate } from '../../authenticate/authenticate.ts'
import { deviceDecidedEvent } from '../../device/device-held.ts'
import * as events from '../../events.ts'
import { createAuthLifecycle } from '../../lifecycle.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { accessTokenAuth } from '../../oauth2/oauth2.ts'
import { mail as mailbox, openServiceHost } from '../../oauth2/testing/test-exchange.ts'
import { openidEnv, openidKeys, openidOptions } from '../../oauth2/testing/test-openid.ts'
import { oneTimeTokenAuth } from '../../one-time-token/one-time-token.ts'
import { startOpenIdServer } from '../../providers/testing/test-openid-server.ts'
import { authRouter } from '../../router.ts'
import { startTestAuth, type TestAuth } from '../../testing.ts'
import { watchRedis } from './redis-dump.ts'
import { startMailProvider } from './test-mail-provider.ts'

const router = defineRouter({
  handshake: route
    .get('/handshake')
    .use([oneTimeTokenAuth])
    .handler(() => 'opened'),
  tools: route
    .get('/mcp')
    .use([accessTokenAuth('/mcp')])
    .handler(() => 'opened'),
  own: route.get('/own').handler(() => 'opened'),
})

const services = await openServiceHost()

const { openid: elsewhere } = openidOptions.options.authorizationServer
const authorizationServer = {
  ...services.options.options.authorizationServer,
  openid: elsewhere,
  // What is passed on to it is a JWT.
  jwtAccessTokens: { [mailbox]: {} },
}

const definition: ServerDefinition = defineServer()
  .routes(router.packages([authRouter]).use([authenticate]))
  .lifecycle(createAuthLifecycle({ authorizationServer, support: { consent: 'code' } }))
  .events(defineEventRouter({ login: events.loginEvent }), { auth: { enabled: true } })

export const legacySecret = 'a legacy secret of at least 32 characters'
export const missing = redisProgram ? '' : ' (no redis-server on PATH)'

export interface Application extends TestAuth {
  readonly other: TestServer
  readonly redis: TestRedis
  readonly watch: Awaited<ReturnType<typeof watchRedis>>
  readonly mail: Awaited<ReturnType<typeof startMailProvider>>
  readonly openid: Awaited<ReturnType<typeof startOpenIdServer>>
  /** The services that exchange tokens. */
  readonly services: typeof services
  readonly tick: () => void
  /** What the server was started with that nobody else may know. */
  readonly secretVariables: readonly string[]
  /** What subscribers of events were given. */
  readonly told: readonly unknown[]
  /** A server on the same database and cache that counts nothing: an attacker has all the time there is. */
  readonly withoutLimits: () => Promise<TestServer>
}

/** Everything that an application may have: two instances, Redis, a mail provider, and a provider of identities. */
export async function startApplication(): Promise<Application> {
  const redis = await startTestRedis()
  const watch = await watchRedis(redis)
  const mail = await startMailProvider()
  const openid = await startOpenIdServer({ now: () => auth.clock.now() })
  const env = {
    ...withKeyring(),
    ...openid.env,
    ...openidEnv,
    CACHE_URL: redis.url,
    SVC_MAIL_URL: mail.url,
    SVC_RATE_LIMIT: 'on',
    SVC_TRUSTED_PROXY_HOPS: '1',
    SVC_AUTH_JWT_SECRET: legacySecret,
  }
  const auth = await startTestAuth({ definition, env })
  mail.deliverTo(auth.outbox)
  const other = await auth.secondInstance()

  const told: unknown[] = []
  const subscriptions = [...Object.values(events), deviceDecidedEvent].map((event) =>
    event.subscribe((payload) => void told.push([event.name, payload])),
  )

  let last = performance.now()
  /** Lets the clocks go as Redis has them go: what it has forgotten must be over here too. */
  function tick() {
    const now = performance.now()
    auth.clock.advance(Math.ceil(now - last))
    last = now
    other.clock.set(auth.clock.now())
  }

  let asked = 0
  /** One instance after the other. */
  const call: typeof auth.call = (name, body, key, given) => {
    asked += 1
    tick()
    const at = asked % 2 === 0 ? auth.server : other
    return auth.call(name, body, key, { at, ...given })
  }
  const ringKey = env.SVC_AUTH_TOKEN_ENCRYPTION_KEYS.split(':')[1] ?? ''
  const { SVC_AUTH_VERIFICATION_TOKEN_SECRET } = auth.auth.env
  const withoutLimits = () =>
    startTestServer(definition, {
      env: {
        ...env,
        NODE_ENV: 'test',
        SVC_RATE_LIMIT: 'off',
        SVC_SMS_URL: 'none',
        SVC_AUTH_BCRYPT_SALT_ROUNDS: '4',
        SVC_AUTH_VERIFICATION_TOKEN_SECRET,
        DATABASE_URL: auth.infrastructure.database?.url,
      },
    })
  return {
    ...auth,
    secretVariables: [
      ringKey,
      SVC_AUTH_VERIFICATION_TOKEN_SECRET,
      legacySecret,
      openid.clientSecret,
      ...openidKeys.map(({ d }) => d ?? ''),
    ],
    call,
    other,
    redis,
    watch,
    mail,
    openid,
    services,
    told,
    tick,
    withoutLimits,
    stop: async () => {
      for (const unsubscribe of subscriptions) unsubscribe()
      await auth.stop()
      await openid.stop()
      await mail.stop()
      watch.stop()
      await redis.stop()
      services.close()
    },
  }
}

import { defineMiddleware, type HandlerContext, NotFoundError, route, t } from '@svc/core'
import { perMinute } from '../../limits/contract.ts'
import { text } from '../clients/contract.ts'
import { logoutContract } from '../logout-contract.ts'
import { describeLogout, endsSessions, type LogoutFields, toLogoutPage } from './end-session.ts'
import { openidOf } from './openid-of.ts'

const Fields = t.Object({
  id_token_hint: text(4096, 'An id token of the user. It may have expired.'),
  client_id: text(2048, 'The application, if there is no hint.'),
  post_logout_redirect_uri: text(2048, 'Where the user goes then: one that the client lists.'),
  state: text(2048, 'Comes back as it is.'),
  logout_hint: text(2048, 'Ignored.'),
  ui_locales: text(1024, 'Ignored: the page is in the language of the account.'),
})

const summary = 'Redirects to the page that signs a user out, for an application that asks.'
// Each user of a company may sign out of several applications at once.
const most = perMinute(600)

/** Before anything else: elsewhere it is as if there was no such route. */
const whereItIs = defineMiddleware(
  'openid-logout',
  (c, next) => {
    if (!endsSessions(openidOf(c))) throw new NotFoundError({ resource: 'Route' })
    return next()
  },
  {
    documents: {
      requires: 'It is there if an application has `postLogoutRedirectUris`.',
      errors: [NotFoundError],
    },
  },
)

async function redirected(c: HandlerContext, fields: LogoutFields) {
  const location = await toLogoutPage(openidOf(c.raw), fields)
  // A redirect has no body.
  return c.json(null, 303, { location, 'cache-control': 'no-store' })
}

const getLogout = route
  .get('/_auth/oauth2/logout')
  .skip(['auth'])
  .use([whereItIs])
  .limit(most, 'by address')
  .describe({ summary })
  .input({ query: Fields })
  .answer(t.Null(), 303)
  .handler(async (c) => redirected(c, (await c.data()).query))

const postLogout = route
  .post('/_auth/oauth2/logout')
  .skip(['auth'])
  .use([whereItIs])
  .limit(most, 'by address')
  .describe({ summary })
  .input({ form: Fields })
  .body({ maxBytes: 16_384 })
  .answer(t.Null(), 303)
  .handler(async (c) => redirected(c, (await c.data()).form))

const describe = logoutContract.describeOpenidLogout
  .skip(['auth'])
  .use([whereItIs])
  .limit(most, 'by address')
  .handler(async (c) => {
    c.raw.header('cache-control', 'no-store')
    return describeLogout(openidOf(c.raw), (await c.data()).query.request)
  })

/** Logout that an application starts (OpenID Connect RP-Initiated Logout). No device signs these requests. */
export const logoutRoutes = {
  getOpenidLogout: getLogout,
  postOpenidLogout: postLogout,
  describeOpenidLogout: describe,
}

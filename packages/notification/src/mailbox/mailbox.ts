import { defineRouter, NotFoundError, type RawContext, route, t } from '@svc/core'
import { readNotificationEnv } from '../env.ts'
import { drawList } from './draw-list.ts'
import { drawMessage } from './draw-message.ts'
import { isAskedHere } from './is-asked-here.ts'
import { listHeaders, pageHeaders } from './mailbox-page.ts'
import { findMessage, newestMessages } from './outbox.ts'

/** A page is an answer, not the value of one. */
const page = t.Unsafe<unknown>({ type: 'string', contentMediaType: 'text/html' })

/**
 * The sent messages, to look at in development: `defineRouter({ … }).packages([authRouter,
 * mailboxRouter])`.
 */
export const mailboxRouter = defineRouter(
  {
    showMailbox: route
      .get('/_ops/mailbox')
      .skip(['auth'])
      .answer(page)
      .errors(NotFoundError)
      .describe({ summary: 'Lists the newest messages, in development.' })
      .handler(async ({ raw }) => {
        const kept = await newestMessages(outboxesOf(raw))
        return raw.html(drawList(kept), 200, listHeaders)
      }),
    showMessage: route
      .get('/_ops/mailbox/:name')
      .skip(['auth'])
      .input({
        params: t.Object({
          name: t.String({ description: 'The name of the message, from the list.' }),
        }),
      })
      .answer(page)
      .errors(NotFoundError)
      .describe({ summary: 'Returns one message as it was sent.' })
      .handler(async (c) => {
        const { raw } = c
        const { params } = await c.data()
        const kept = await findMessage(outboxesOf(raw), params.name)
        if (!kept) throw new NotFoundError({ resource: 'Message' })
        return raw.html(drawMessage(kept.message), 200, pageHeaders)
      }),
  },
  { owns: '/_ops/' },
)

/** The folders of the messages. If there are none to show, the path answers as an unknown one. */
function outboxesOf(raw: RawContext) {
  const env = readNotificationEnv(raw.server.source)
  const directories = [env.SVC_MAIL_URL, env.SVC_SMS_URL].flatMap((url) =>
    url.to === 'file' ? [url.directory] : [],
  )
  const isOpen = env.NODE_ENV !== 'production' && directories.length > 0 && isAskedHere(raw)
  if (!isOpen) throw new NotFoundError({ resource: 'Route' })
  return [...new Set(directories)]
}

import { Type as t } from 'typebox'
import { ForbiddenError, NotFoundError, ServiceUnavailableError } from '../../errors/contract.ts'
import { route } from '../../routes/contract.ts'
import type { ServerStreams } from '../server-streams.ts'

const Names = t.Array(t.String({ maxLength: 500 }), { maxItems: 100 })

/** POST beside the stream: changes the events and channels that it follows. */
export function subscriptionsRoute(path: string, running: () => ServerStreams) {
  return route
    .post(path)
    .input({
      body: t.Object({
        stream: t.String({
          maxLength: 100,
          description: 'The name of the stream, from `connected`.',
        }),
        subscribe: t.Optional(Names),
        unsubscribe: t.Optional(Names),
      }),
    })
    .answer(
      t.Object({
        events: t.Array(t.String(), { description: 'All events that the stream follows now.' }),
        id: t.Optional(
          t.String({ description: 'With a history: the added events start after this id.' }),
        ),
      }),
    )
    .errors(ForbiddenError, NotFoundError, ServiceUnavailableError)
    .describe({ summary: 'Changes what an open event stream follows', tags: ['Events'] })
    .handler(async (c) => {
      const { body } = await c.data()
      const { stream, subscribe: add = [], unsubscribe: remove = [] } = body
      c.raw.header('cache-control', 'no-store')
      const { events, ...changed } = await running().change(c, { stream, add, remove })
      return { events: [...events], ...changed }
    })
}

import { ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import { UserNotFoundError } from '../accounts/errors.ts'
import { AccountLabel } from '../accounts/fields.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { limit, nextPage } from '../pagination.ts'
import { StreamNotFoundError } from './errors.ts'

const OpenStreamItem = t.Object({
  streamId: t.String(),
  kind: t.Union([t.Literal('sse'), t.Literal('websocket')]),
  userId: t.Optional(t.String({ description: 'The account whose key opened it.' })),
  /** Set for callers who may read users. */
  account: t.Optional(AccountLabel),
  keyId: t.Optional(t.String()),
  subject: t.Optional(t.String({ description: 'The subject whose events it gets.' })),
  events: t.Array(t.String()),
  openedAt: t.String(),
  address: t.Optional(t.String()),
  waitingBytes: t.Integer({ description: 'Bytes that its client has not received yet.' }),
  instance: t.String({ description: 'The process that serves it.' }),
})
/** A stream as operators see it. */
export type OpenStreamItem = OutputOf<typeof OpenStreamItem>

const streamId = (description: string) =>
  t.String({ maxLength: 40, pattern: '^[0-9a-z-]+$', description })

export const openStreamContract = defineContract('streams', {
  at: '/_auth/admin',
  operations: {
    listStreams: allow.may(
      'stream:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/streams')
        .input({
          query: t.Object({
            userId: t.Optional(
              t.String({ maxLength: 100, description: 'Only streams of this account.' }),
            ),
            subject: t.Optional(
              t.String({
                maxLength: 200,
                description: 'Only streams that get the events of this subject.',
              }),
            ),
            after: t.Optional(streamId('The `next` of the page before.')),
            limit,
          }),
        })
        .answer(
          t.Object({
            success: t.Literal(true),
            data: t.Array(OpenStreamItem),
            meta: t.Object({
              total: t.Integer(),
              next: nextPage,
              isShared: t.Boolean({
                description: 'False if only the streams of one process are listed.',
              }),
              instances: t.Object({
                answered: t.Integer(),
                asked: t.Optional(
                  t.Integer({ description: 'How many were asked, if the cache knows it.' }),
                ),
              }),
            }),
          }),
        )
        .errors(...limitRefusals)
        .describe({ summary: 'Lists the open streams of all instances, the newest first.' }),
    ),
    endStream: allow.freshMay('stream:write')(
      route
        .delete('/_auth/admin/streams/:streamId')
        .input({ params: t.Object({ streamId: streamId('As `listStreams` has it.') }) })
        .answer(t.Undefined(), 204)
        .errors(
          StreamNotFoundError,
          UserNotFoundError,
          ForbiddenError,
          ...proofRefusals,
          ...limitRefusals,
        )
        .describe({
          summary: 'Ends an open stream. Its client can open another one.',
          description: 'Its account must rank below yours, or be your own.',
        }),
    ),
  },
  errors: [StreamNotFoundError],
  limits: {
    'stream list by account': perMinute(60),
    'stream end by account': perMinute(60),
  },
})

import { NotFoundError, route, t, UnauthorizedError } from '@svc/core/contract'
import { allow } from '../../capability/access.ts'
import { limitRefusals } from '../../limits/limit-refusals.ts'

const params = t.Object({
  provider: t.String({ description: 'The id of a provider, such as `google`.' }),
})
/** A `Response` without a body, of the status that the provider wants. */
const empty = t.Unsafe<unknown>({ type: 'undefined' })
const itsOwn =
  'Which fields a notice has, how it is signed, and which 2xx answers it, is for the provider to say.'
const refusals = [NotFoundError, UnauthorizedError, ...limitRefusals] as const

/** What a provider calls when somebody takes their consent back there. It proves itself by a signature of its own. */
export const unlinkOperations = {
  unlinkNotifyByQuery: allow.public('unlink by address')(
    route
      .get('/_auth/oauth/:provider/unlink-notify')
      .input({ params })
      .answer(empty)
      .errors(...refusals)
      .describe({
        summary: 'A provider tells that an account of its own is not to sign in any more.',
        description: itsOwn,
      }),
  ),
  unlinkNotify: allow.public('unlink by address')(
    route
      .post('/_auth/oauth/:provider/unlink-notify')
      .input({ params })
      .answer(empty)
      .errors(...refusals)
      .describe({ summary: 'The same, with its fields in a form.', description: itsOwn }),
  ),
}
